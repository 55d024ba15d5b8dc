/** The sorts of types that the checker tells apart. `param` is a type variable, `error` the type of a wrong expression. */
export type TypeSort =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint'

/** A type of the language. It is also a value: `type(1) == int` compares two of these by name. */
export interface CelType {
  readonly kind: 'type'
  readonly sort: TypeSort
  /** The name that programs and messages use, `google.protobuf.Duration` for durations. */
  readonly name: string
  readonly parameters: readonly CelType[]
  /** The declared fields of a struct by their escaped names. Absent where the fields are not known to the checker. */
  readonly fields?: ReadonlyMap<string, CelType>
}

function simpleType(sort: TypeSort, name: string = sort): CelType {
  return { kind: 'type', sort, name, parameters: [] }
}

/** Data with `type: boolean`. */
export const boolType: CelType = simpleType('bool')
/** Sequences of bytes: data with `format: byte`. */
export const bytesType: CelType = simpleType('bytes')
/** Data with `type: number`. */
export const doubleType: CelType = simpleType('double')
/** Data with `format: duration`. */
export const durationType: CelType = simpleType('duration', 'google.protobuf.Duration')
/** Anything; what it is shows at run time. */
export const dynType: CelType = simpleType('dyn')
/** The type of an expression that is wrong, so that no further error follows from it. */
export const errorType: CelType = simpleType('error')
/** Data with `type: integer`. */
export const intType: CelType = simpleType('int')
/** The type of `null`. */
export const nullType: CelType = simpleType('null', 'null_type')
/** Text. */
export const stringType: CelType = simpleType('string')
/** Data with `format: date-time` or `format: date`. */
export const timestampType: CelType = simpleType('timestamp', 'google.protobuf.Timestamp')
/** The type of types. */
export const typeType: CelType = simpleType('type')
/** Unsigned ints; no data has it. */
export const uintType: CelType = simpleType('uint')

/** `list(element)`. */
export function listTypeOf(element: CelType): CelType {
  return { kind: 'type', sort: 'list', name: 'list', parameters: [element] }
}

/** `map(key, value)`. */
export function mapTypeOf(key: CelType, value: CelType): CelType {
  return { kind: 'type', sort: 'map', name: 'map', parameters: [key, value] }
}

/** `optional_type(value)`. */
export function optionalTypeOf(value: CelType): CelType {
  return opaqueType('optional_type', value)
}

/** A type that programs know by name only. */
export function opaqueType(name: string, ...parameters: CelType[]): CelType {
  return { kind: 'type', sort: 'opaque', name, parameters }
}

/** The type of objects with these fields. */
export function structType(name: string, fields?: ReadonlyMap<string, CelType>): CelType {
  return { kind: 'type', sort: 'struct', name, parameters: [], ...(fields === undefined ? {} : { fields }) }
}

/** The type of a type. */
export function typeOfType(parameter: CelType): CelType {
  return { kind: 'type', sort: 'type', name: 'type', parameters: [parameter] }
}

/** A variable of a signature, to be found out by the checker. */
export function typeParameter(name: string): CelType {
  return simpleType('param', name)
}

/** What `type([])` yields. */
export const listType: CelType = listTypeOf(dynType)
/** What `type({})` yields. */
export const mapType: CelType = mapTypeOf(dynType, dynType)

const shortNames: Partial<Record<TypeSort, string>> = {
  any: 'any',
  duration: 'duration',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
}

/** A type as compiler messages show it: `list(string)`, `map(string, int)`, `timestamp`. */
export function formatType(type: CelType): string {
  const name = shortNames[type.sort] ?? type.name
  if (type.parameters.length === 0) return name
  return `${name}(${type.parameters.map(formatType).join(', ')})`
}

/** A type as run-time messages show it: `list(dyn)`, `google.protobuf.Timestamp`. */
export function describeType(type: CelType): string {
  if (type.parameters.length === 0) return type.name
  return `${type.name}(${type.parameters.map(describeType).join(', ')})`
}

/** True for the types that accept anything: `dyn` and its kin. */
export function isDynType(type: CelType): boolean {
  return type.sort === 'dyn' || type.sort === 'any'
}

/** The same type to the last parameter. With `looseParameters`, type variables match whatever their names are. */
export function isSameType(left: CelType, right: CelType, looseParameters = false): boolean {
  if (left === right) return true
  if (left.sort !== right.sort || left.parameters.length !== right.parameters.length) return false
  if (left.name !== right.name && !(looseParameters && left.sort === 'param')) return false
  return left.parameters.every((parameter, index) => {
    const other = right.parameters[index]
    return other !== undefined && isSameType(parameter, other, looseParameters)
  })
}
