import { isPlainObject } from '../../../base/index.js'
import { parseWordyDuration } from '../value/duration.js'
import { parseTimestamp } from '../value/timestamp.js'
import { bytes, type CelValue, duration, failure } from '../value/value.js'
import { decodeBase64 } from './base64.js'
import { ForeignData } from './plain-data.js'
import { schemaList } from './schema-list.js'
import { SchemaMap } from './schema-map.js'
import type { SchemaNode } from './schema-node.js'

/** The name that the server's messages have for a kind of data. */
function dataType(data: unknown): string {
  if (typeof data === 'number') return Number.isInteger(data) ? 'int64' : 'float64'
  if (typeof data === 'bigint') return 'int64'
  if (typeof data === 'boolean') return 'bool'
  if (typeof data === 'string') return 'string'
  if (Array.isArray(data)) return '[]interface {}'
  return data instanceof ForeignData ? data.typeName : 'map[string]interface {}'
}

/** Data as rules see it through its schema. Data that the schema does not allow becomes a failure. */
export function schemaValue(data: unknown, node: SchemaNode): CelValue {
  const { schema } = node
  if (data === null || data === undefined) {
    return schema.nullable === true ? null : failure('invalid data, got null for schema with nullable=false')
  }
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (typeof data === 'string' || typeof data === 'bigint') return data
    return typeof data === 'number' && Number.isInteger(data)
      ? BigInt(data)
      : failure('invalid data, expected XIntOrString value to be either a string or integer')
  }
  switch (node.type) {
    case 'object':
      return isPlainObject(data)
        ? new SchemaMap(data, node.isEmbedded ? node.asResource() : node, schemaValue)
        : failure('invalid data, expected a map for the provided schema with type=object')
    case 'array':
      if (!Array.isArray(data))
        return failure('invalid data, expected an array for the provided schema with type=array')
      return node.items === undefined
        ? failure('invalid array type, expected Items with a non-empty Schema')
        : schemaList(data, { node, items: node.items, read: schemaValue })
    case 'string':
      return typeof data === 'string'
        ? formattedValue(data, schema.format)
        : failure(`invalid data, expected string, got ${dataType(data)}`)
    case 'number':
      return typeof data === 'number' || typeof data === 'bigint'
        ? Number(data)
        : failure(`invalid data, expected float, got ${dataType(data)}`)
    case 'integer':
      if (typeof data === 'bigint') return data
      return typeof data === 'number' && Number.isInteger(data)
        ? BigInt(data)
        : failure(`invalid data, expected int, got ${dataType(data)}`)
    case 'boolean':
      return typeof data === 'boolean' ? data : failure(`invalid data, expected bool, got ${dataType(data)}`)
    default:
      if (schema['x-kubernetes-preserve-unknown-fields'] === true) return { kind: 'preserved', data }
      return failure(
        'invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ',
      )
  }
}

function formattedValue(text: string, format: string | undefined): CelValue {
  switch (format) {
    case 'duration': {
      const nanos = parseWordyDuration(text)
      if (nanos !== undefined) return duration(nanos)
      return failure(`Invalid duration ${text}: unable to parse ${text} as duration`)
    }
    case 'date': {
      const moment = parseTimestamp(text, 'date')
      return typeof moment === 'string' ? failure(`Invalid date formatted string ${text}: ${moment}`) : moment
    }
    case 'date-time':
      return dateTime(text)
    case 'byte':
      return base64(text)
    default:
      return text
  }
}

function dateTime(text: string): CelValue {
  if (text === '') return { kind: 'timestamp', seconds: 0, nanos: 0, offsetSeconds: 0 }
  const zoned = parseTimestamp(text, 'rfc3339')
  if (typeof zoned !== 'string') return zoned
  const local = parseTimestamp(text, 'local')
  return typeof local === 'string' ? failure(`Invalid date-time formatted string ${text}: ${local}`) : local
}

function base64(text: string): CelValue {
  const decoded = decodeBase64(text)
  if (typeof decoded !== 'number') return bytes(decoded)
  return failure(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${decoded}`)
}
