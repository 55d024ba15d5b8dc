import { formatUtcTime, isPlainObject, parseUtcTime, stringifyJson } from '../../base/index.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import { parseJsonSource } from '../request/json-source.js'
import { type MessageField, MessageType } from './message-type.js'
import { boolType, int32Type, int64Type, textType } from './scalar-types.js'
import type { WireType } from './wire-type.js'

/** What a message with a JSON form of its own is. */
interface Conversion {
  readonly message: MessageType
  /** The message of a value in JSON; undefined is one without any bytes. */
  toMessage(value: unknown): Readonly<Record<string, unknown>> | undefined
  /** The value in JSON of a message that has some bytes. Throws {@link GoDecodeError}. */
  toJson(read: Readonly<Record<string, unknown>>): unknown
  /** Of a message without any. */
  zero(): unknown
}

function converted(conversion: Conversion): WireType {
  const { message } = conversion
  return {
    wire: 2,
    write(out, value) {
      const parts = conversion.toMessage(value)
      if (parts !== undefined) message.write(out, parts)
    },
    read(input, end) {
      if (input.at === end) return conversion.zero()
      const parts: Record<string, unknown> = {}
      message.readInto(input, end, parts)
      return conversion.toJson(parts)
    },
    zero: () => conversion.zero(),
  }
}

/**
 * Messages that are something else than an object with their fields in JSON, by the names that the table has for them.
 * `schema` is the message JSONSchemaProps.
 */
export function specialTypes(schema: WireType): ReadonlyMap<string, WireType> {
  return new Map([
    ['meta.Time', timeType('Time', 0)],
    ['meta.MicroTime', timeType('MicroTime', 6)],
    ['meta.Quantity', quantityType()],
    ['meta.IntOrString', intOrStringType()],
    ['meta.RawExtension', rawJsonType('RawExtension')],
    ['meta.FieldsV1', rawJsonType('FieldsV1')],
    ['meta.Verbs', textsType('Verbs')],
    ['authentication-v1.ExtraValue', textsType('ExtraValue')],
    ['authorization-v1.ExtraValue', textsType('ExtraValue')],
    ['certificates-v1.ExtraValue', textsType('ExtraValue')],
    ['apiextensions-v1.JSON', rawJsonType('JSON')],
    [
      'apiextensions-v1.JSONSchemaPropsOrArray',
      schemaOrList('JSONSchemaPropsOrArray', schema, list('JSONSchemas', 2, schema)),
    ],
    [
      'apiextensions-v1.JSONSchemaPropsOrStringArray',
      schemaOrList('JSONSchemaPropsOrStringArray', schema, list('Property', 2, textType)),
    ],
    ['apiextensions-v1.JSONSchemaPropsOrBool', schemaOrBool(schema)],
  ])
}

const usPerSecond = 1_000_000
/** The beginning of the year 1, which is no time at all for Go. */
const zeroSeconds = -62_135_596_800

/** RFC 3339, to the second or the microsecond; null is no time. */
function timeType(name: string, fractionDigits: 0 | 6): WireType {
  // An object is often made and changed within one second: most of its times are the one before.
  let last: { readonly text: string; readonly timestamp: Timestamp | undefined } | undefined
  return converted({
    message: new MessageType(name, () => [part('Seconds', 1, int64Type), part('Nanos', 2, int32Type)]),
    toMessage(value) {
      if (typeof value !== 'string') return undefined
      if (last?.text !== value) last = { text: value, timestamp: timestampOf(value, fractionDigits) }
      return last.timestamp
    },
    toJson({ Seconds, Nanos }) {
      if (Seconds === zeroSeconds) return null
      const us = fractionDigits === 0 ? 0 : Math.trunc(Number(Nanos) / 1000)
      const text = formatUtcTime(Number(Seconds) * 1000 + us / 1000, fractionDigits)
      if (text === undefined) throw new GoDecodeError('Time.MarshalJSON: year outside of range [0,9999]')
      return text
    },
    zero: () => null,
  })
}

interface Timestamp extends Readonly<Record<string, unknown>> {
  readonly Seconds: number
  readonly Nanos: number
}

function timestampOf(text: string, fractionDigits: 0 | 6): Timestamp | undefined {
  const epochMs = parseUtcTime(text)
  if (epochMs === undefined) return undefined
  const us = Math.round(epochMs * 1000)
  const Seconds = Math.floor(us / usPerSecond)
  if (Seconds === zeroSeconds) return undefined
  return { Seconds, Nanos: fractionDigits === 0 ? 0 : (us - Seconds * usPerSecond) * 1000 }
}

function quantityType(): WireType {
  return converted({
    message: new MessageType('Quantity', () => [part('String', 1, textType)]),
    // Its canonical form is a text, which everything in the store has.
    toMessage: (value) => ({ String: typeof value === 'string' ? value : '0' }),
    toJson: ({ String: text }) => text,
    zero: () => '0',
  })
}

function intOrStringType(): WireType {
  return converted({
    message: new MessageType('IntOrString', () => [
      part('Type', 1, int64Type),
      part('IntVal', 2, int32Type),
      part('StrVal', 3, textType),
    ]),
    toMessage: (value) =>
      typeof value === 'string' ? { Type: 1, StrVal: value } : { Type: 0, IntVal: value ?? 0 },
    toJson({ Type, IntVal, StrVal }) {
      if (Type === 0) return IntVal
      if (Type === 1) return StrVal
      throw new GoDecodeError('impossible IntOrString.Type')
    },
    zero: () => 0,
  })
}

/** Any JSON, which protobuf has as text. */
function rawJsonType(name: string): WireType {
  return converted({
    message: new MessageType(name, () => [part('Raw', 1, textType)]),
    toMessage: (value) => (value === undefined || value === null ? undefined : { Raw: stringifyJson(value) }),
    toJson: ({ Raw }) => (typeof Raw === 'string' && Raw !== '' ? parseJsonSource(Raw).value : null),
    zero: () => null,
  })
}

function textsType(name: string): WireType {
  return converted({
    message: new MessageType(name, () => [list('Items', 1, textType)]),
    toMessage: (Items) => ({ Items }),
    toJson: ({ Items }) => Items ?? [],
    zero: () => [],
  })
}

function schemaOrList(name: string, schema: WireType, items: MessageField): WireType {
  return converted({
    message: new MessageType(name, () => [optional('Schema', 1, schema), items]),
    toMessage: (value) => (Array.isArray(value) ? { [items.name]: value } : { Schema: value }),
    toJson: (read) => read[items.name] ?? read['Schema'] ?? null,
    zero: () => null,
  })
}

function schemaOrBool(schema: WireType): WireType {
  return converted({
    message: new MessageType('JSONSchemaPropsOrBool', () => [
      part('Allows', 1, boolType),
      optional('Schema', 2, schema),
    ]),
    toMessage: (value) =>
      isPlainObject(value) ? { Allows: true, Schema: value } : { Allows: value === true },
    toJson: ({ Allows, Schema }) => Schema ?? Allows,
    zero: () => false,
  })
}

function part(name: string, number: number, type: WireType): MessageField {
  return { name, goName: name, number, shape: 'single', isOptional: false, isAlways: true, type }
}

function optional(name: string, number: number, type: WireType): MessageField {
  return { ...part(name, number, type), isOptional: true, isAlways: false }
}

function list(name: string, number: number, type: WireType): MessageField {
  return { ...part(name, number, type), shape: 'list', isAlways: false }
}
