import { isPlainObject, setOwn } from '../../../base/index.js'
import { createList } from './list.js'
import { createMap } from './map.js'
import { Struct } from './struct.js'
import { type CelValue, failure } from './value.js'

/** Plain data as a value without a schema: whole numbers are ints, other numbers doubles. */
export function fromNative(data: unknown): CelValue {
  if (data === null || data === undefined) return null
  if (typeof data === 'string' || typeof data === 'boolean' || typeof data === 'bigint') return data
  if (typeof data === 'number') return Number.isInteger(data) ? BigInt(data) : data
  if (Array.isArray(data)) {
    return createList({ size: data.length, at: (index) => fromNative(data[index]), data })
  }
  if (!isPlainObject(data)) return failure('unsupported conversion to ref.Val')
  const keys = Object.keys(data)
  return createMap({
    size: keys.length,
    find: (key) => (typeof key === 'string' && Object.hasOwn(data, key) ? fromNative(data[key]) : undefined),
    keys: () => keys,
    data,
  })
}

/**
 * A value as it comes out of an optional. The server unwraps it to a Go value there and wraps it again: objects and
 * lists lose their schema (a date is a string again, a set is ordered again), and library types do not survive.
 */
export function throughOptional(value: CelValue): CelValue {
  if (typeof value !== 'object' || value === null) return value
  switch (value.kind) {
    case 'list':
    case 'map':
      return value.data === undefined ? value : fromNative(value.data)
    case 'opaque':
      return failure(`unsupported conversion to ref.Val: ${value.nativeText}`)
    case 'type':
      return value.name
    case 'preserved':
      return fromNative(value.data)
    case 'optional':
      return value.value === undefined ? null : throughOptional(value.value)
    default:
      return value
  }
}

/** A value as plain data; `undefined` for what plain data cannot say. Ints beyond 2^53 stay bigints. */
export function toNative(value: CelValue): unknown {
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value !== 'object' || value === null) return value
  switch (value.kind) {
    case 'list':
      return value.data ?? Array.from({ length: value.size }, (_, index) => toNative(value.at(index)))
    case 'map': {
      if (value.data !== undefined) return value.data
      const object = {}
      for (const key of value.keys()) {
        const member = value.find(key)
        if (typeof key === 'string' && member !== undefined) setOwn(object, key, toNative(member))
      }
      return object
    }
    case 'preserved':
      return value.data
    case 'optional':
      return value.value === undefined ? undefined : toNative(value.value)
    case 'uint':
      return toNative(value.value)
    case 'opaque': {
      if (!(value instanceof Struct)) return undefined
      const object = {}
      for (const [name, member] of value.fields) setOwn(object, name, toNative(member))
      return object
    }
    default:
      return undefined
  }
}
