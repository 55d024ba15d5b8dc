import { assertNever, isPlainObject } from '../../../base/index.js'
import type { CelValue } from '../value/value.js'

/**
 * Stands in a list of plain data for a value that is none. A schema that reads it again refuses it with the name of
 * the server's type: adding a timestamp to a list of timestamps does not work there.
 */
export class ForeignData {
  readonly typeName: string

  constructor(typeName: string) {
    this.typeName = typeName
  }
}

/** A value as data of the kind that objects are made of. */
export function plainData(value: CelValue): unknown {
  if (value === null) return new ForeignData('structpb.NullValue')
  if (typeof value !== 'object') return value
  switch (value.kind) {
    case 'list':
      return value.data ?? new ForeignData('[]ref.Val')
    case 'map':
      return value.data ?? new ForeignData('map[ref.Val]ref.Val')
    case 'preserved':
      return value.data
    case 'uint':
      return new ForeignData('uint64')
    case 'bytes':
      return new ForeignData('[]uint8')
    case 'timestamp':
      return new ForeignData('time.Time')
    case 'duration':
      return new ForeignData('time.Duration')
    case 'type':
      return value.name
    case 'optional':
    case 'opaque':
    case 'failure':
      return new ForeignData('interface {}')
    default:
      return assertNever(value)
  }
}

/** Something that is the same for equal scalars and different for everything else. Whole numbers of data are ints. */
export function scalarKey(data: unknown): unknown {
  if (typeof data === 'string') return `s${data}`
  if (typeof data === 'number') return Number.isInteger(data) ? `i${data}` : `d${data}`
  if (typeof data === 'bigint') return `i${data}`
  return typeof data === 'boolean' || data === null || data === undefined ? `${data ?? 'none'}` : data
}

/** The same for a value of the language, where whole numbers may be doubles. */
export function valueKey(value: CelValue): unknown {
  return typeof value === 'number' ? `d${value}` : scalarKey(plainData(value))
}

/** What tells the elements of a list of type `map` apart. An element that is no object is like no other. */
export function elementKey(element: unknown, keys: readonly string[]): unknown {
  if (!isPlainObject(element)) return Symbol('not an object')
  const parts = keys.map((key) => scalarKey(Object.hasOwn(element, key) ? element[key] : undefined))
  return parts.some((part) => typeof part === 'object') ? Symbol('no scalar') : parts.join('\0')
}
