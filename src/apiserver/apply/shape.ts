import { isPlainObject } from '../../base/index.js'
import type { TypedSchema } from './typed-schema.js'

export type Shape = 'map' | 'scalar' | 'list'

/** Which of the shapes of its type a value has. One that has none of them, and null, counts as the first of these. */
export function shapeOf(schema: TypedSchema, value: unknown): Shape | undefined {
  if (Array.isArray(value)) {
    if (schema.list !== undefined) return 'list'
  } else if (isPlainObject(value)) {
    if (schema.map !== undefined) return 'map'
  } else if (value !== null && value !== undefined && schema.scalar !== undefined) {
    return 'scalar'
  }
  if (schema.map !== undefined) return 'map'
  if (schema.scalar !== undefined) return 'scalar'
  return schema.list === undefined ? undefined : 'list'
}

/** The items of a list; undefined for null and for what is none. */
export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

/** The members of a map; undefined for null and for what is none. */
export function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isPlainObject(value) ? value : undefined
}

/** Its own keys with a value: an undefined member is none. */
export function keysOf(map: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (map === undefined) return []
  const keys = Object.keys(map)
  return keys.some((key) => map[key] === undefined) ? keys.filter((key) => map[key] !== undefined) : keys
}
