import { assertNever } from '../../../base/index.js'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  errorType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from './type.js'
import type { CelValue } from './value.js'

const optionalType = opaqueType('optional_type')
const unknownType = opaqueType('unknown')

/** The type of a value at run time. Lists, maps and objects do not know what they hold. */
export function runtimeType(value: CelValue): CelType {
  if (value === null) return nullType
  switch (typeof value) {
    case 'boolean':
      return boolType
    case 'bigint':
      return intType
    case 'number':
      return doubleType
    case 'string':
      return stringType
    case 'object':
      break
    default:
      return assertNever(value)
  }
  switch (value.kind) {
    case 'uint':
      return uintType
    case 'bytes':
      return bytesType
    case 'timestamp':
      return timestampType
    case 'duration':
      return durationType
    case 'list':
      return listType
    case 'map':
      return mapType
    case 'optional':
      return optionalType
    case 'type':
      return typeType
    case 'opaque':
      return value.type
    case 'preserved':
      return unknownType
    case 'failure':
      return errorType
    default:
      return assertNever(value)
  }
}

/**
 * Whether a value may be passed where the type is declared. Of a list or map only the first element is looked at, as
 * on the server: the rest is the checker's word.
 */
export function matchesType(type: CelType, value: CelValue): boolean {
  if (type.sort === 'dyn' || type.sort === 'any' || type.sort === 'param') return true
  if (type.name !== runtimeType(value).name) return false
  if (typeof value !== 'object' || value === null) return true
  const [first, second] = type.parameters
  if (value.kind === 'list' && first !== undefined) return value.size === 0 || matchesType(first, value.at(0))
  if (value.kind === 'map' && first !== undefined && second !== undefined) {
    for (const key of value.keys()) {
      const member = value.find(key)
      return matchesType(first, key) && (member === undefined || matchesType(second, member))
    }
  }
  return true
}

/** The name that the server's own language has for a value: some of its messages show that one. */
export function implementationName(value: CelValue): string {
  const { sort, name } = runtimeType(value)
  if (name === 'optional_type') return '*types.Optional'
  if (sort === 'opaque' || sort === 'struct' || sort === 'type') return name
  return `types.${sort.charAt(0).toUpperCase()}${sort.slice(1)}`
}
