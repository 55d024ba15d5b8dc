import { isPlainObject } from '../../../base/index.js'
import type { JsonType } from '../../structural-schema.js'

/** A JSON Schema of any draft, as a library emitted it. */
export type JsonSchema = Record<string, unknown>

export function isJsonSchema(value: unknown): value is JsonSchema {
  return isPlainObject(value)
}

/** The branches of `anyOf`, `oneOf` or `allOf`. */
export function branchesOf(schema: JsonSchema, keyword: 'anyOf' | 'oneOf' | 'allOf'): JsonSchema[] {
  const branches = schema[keyword]
  return Array.isArray(branches) ? branches.filter(isJsonSchema) : []
}

/** The types that a schema names, `null` included. */
export function typesOf(schema: JsonSchema): string[] {
  const { type } = schema
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
}

/** The values that a schema lists by `enum` or `const`; undefined when it lists none. */
export function listedValues(schema: JsonSchema): unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined
}

/** The type of one JSON value. */
export function jsonTypeOf(value: unknown): JsonType | 'null' {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'string' || typeof value === 'boolean')
    return typeof value === 'string' ? 'string' : 'boolean'
  return 'object'
}

export function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}

export function numberOf(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

export function stringOf(schema: JsonSchema, keyword: string): string | undefined {
  const value = schema[keyword]
  return typeof value === 'string' ? value : undefined
}
