import { getOwn } from '../../base/index.js'
import type { ApiSchema } from '../api-schema.js'
import { unforeseen } from './patch-failure.js'

/** How strategic merge treats one field. */
export interface FieldStrategy {
  /** `merge`, `replace`, or empty where the schema says nothing; `retainKeys` is no more than a hint to clients. */
  readonly strategy: string
  /** Empty where there is none. */
  readonly mergeKey: string
  /** Of the object itself, or of the items of a list. */
  readonly schema: ApiSchema
}

/** For a field that is an object on both sides. Throws ApiFailure 500 where the server has no such field or no structure. */
export function objectStrategy(parent: ApiSchema, field: string): FieldStrategy {
  const schema = fieldSchema(parent, field)
  return { ...strategyOf(schema), schema }
}

/** For a field that is a list on both sides. Throws ApiFailure 500 where the server has no such field or no list. */
export function listStrategy(parent: ApiSchema, field: string): FieldStrategy {
  const schema = fieldSchema(parent, field)
  if (schema.items === undefined) {
    throw unforeseen(`expected slice or array type, but got: ${isStructure(parent) ? 'struct' : 'map'}`)
  }
  return { ...strategyOf(schema), schema: schema.items }
}

function fieldSchema(parent: ApiSchema, field: string): ApiSchema {
  if (!isStructure(parent)) {
    throw unforeseen('merging an object in json but data type is not struct, instead is: map')
  }
  // Properties are schemas; the name may be any text, so only an own one counts.
  const schema = parent.properties === undefined ? undefined : getOwn(parent.properties, field)
  if (schema !== undefined) return schema as ApiSchema
  throw unforeseen(
    `unable to find api field in struct ${parent.goType ?? ''} for the json field ${JSON.stringify(field)}`,
  )
}

/** Whether the server keeps it in a struct and not in a map. */
function isStructure(schema: ApiSchema): boolean {
  return schema.properties !== undefined || typeof schema.additionalProperties !== 'object'
}

function strategyOf(schema: ApiSchema): { strategy: string; mergeKey: string } {
  const strategies = (schema['x-kubernetes-patch-strategy'] ?? '').split(',')
  return {
    strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
    mergeKey: schema['x-kubernetes-patch-merge-key'] ?? '',
  }
}
