import type { ApiSchema } from '../api-schema.js'

/** What a scalar is to the server's converter. */
export function conversionKind(scalar: unknown): string {
  if (typeof scalar === 'string') return 'string'
  if (typeof scalar === 'boolean') return 'bool'
  return Number.isInteger(Number(scalar)) ? 'int64' : 'float64'
}

/** What the server's converter between plain data and its types says. It knows kinds of types, not their names. */
export function conversionProblem(value: unknown, type: string): string {
  const found = Array.isArray(value) ? 'slice' : typeof value === 'object' ? 'map' : conversionKind(value)
  if (type.startsWith('[]')) return `cannot restore slice from ${found}`
  if (type.startsWith('map[')) return `cannot restore map from ${found}`
  const wanted = /^(?:bool|u?int\d*|float\d+)$/.test(type) ? type : 'string'
  const isNumber = found === 'int64' || found === 'float64'
  if (isNumber && (wanted === 'string' ? found === 'int64' : wanted !== 'bool'))
    return `cannot convert ${found} to ${type}`
  return `unrecognized type: ${wanted}`
}

/** What is in a list or a map of a named type has that type, which only the container may say. */
export function typedItem(item: ApiSchema, container: string | undefined, prefix: string): ApiSchema {
  if (container === undefined || !container.startsWith(prefix)) return item
  const goValue = container.slice(prefix.length)
  return item.goValue === goValue || item.type === undefined ? item : { ...item, goValue }
}

/** The struct that a schema describes, as errors name it. */
export function structName({ goType = '' }: ApiSchema): string {
  return goType.slice(goType.lastIndexOf('.') + 1)
}

/** As `reflect` prints it. */
export function goTypeOf({ goValue, type, format }: ApiSchema): string {
  if (goValue !== undefined) return goValue
  if (type === 'integer') return format ?? 'int64'
  return type === 'boolean' ? 'bool' : (type ?? 'interface {}')
}

/** What Go puts where a list or a map has null. */
export function zeroOf(schema: ApiSchema): unknown {
  switch (schema.type) {
    case 'string':
      return schema.format === 'quantity' ? '0' : schema.format === 'byte' ? null : ''
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'object':
      return schema.properties === undefined ? null : {}
    case 'array':
    case undefined:
      return null
  }
}
