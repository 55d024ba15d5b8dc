import type { StructuralSchema } from '../../structural-schema.js'
import type { ProblemList } from '../problem.js'
import type { JsonSchema } from './json-schema.js'

/** A schema under construction. */
export type Draft = { -readonly [K in keyof StructuralSchema]: StructuralSchema[K] }

/** What the parts of the converter share. */
export interface Converter {
  readonly problems: ProblemList
  /** Converts a schema inside the one at hand. */
  convert(schema: unknown, path: string): StructuralSchema
  /** The problem is noted; the schema goes on as one that accepts anything, so that further problems are found. */
  refuse(path: string, message: string): Draft
}

/** A schema whose type is settled. */
export interface Typed {
  readonly schema: JsonSchema
  readonly path: string
}
