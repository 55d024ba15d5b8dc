import { formatGeneral, parseDouble } from './double.js'
import { formatDuration, parseDuration } from './duration.js'
import { checkedInt, checkedUint, parseInt64, parseUint64 } from './int64.js'
import { runtimeType } from './runtime-type.js'
import { formatTimestamp, parseTimestamp, timestamp } from './timestamp.js'
import { type CelType, describeType } from './type.js'
import { bytes, type CelValue, duration, failure, isFailure, ofKind, uint } from './value.js'

/** `int(x)`, `string(x)`, `timestamp(x)`...: the value in another type, or the failure to be one. */
export function convertValue(value: CelValue, target: CelType): CelValue {
  if (isFailure(value)) return value
  if (target.sort === 'type') return runtimeType(value)
  const type = runtimeType(value)
  if (type.name === target.name) return value
  const converted = convertSort(value, target)
  if (converted !== undefined) return converted
  return failure(`type conversion error from '${describeType(type)}' to '${describeType(target)}'`)
}

function convertSort(value: CelValue, target: CelType): CelValue | undefined {
  switch (target.sort) {
    case 'int':
      return toInt(value)
    case 'uint':
      return toUint(value)
    case 'double':
      return toDouble(value)
    case 'string':
      return toText(value)
    case 'bool':
      return typeof value === 'string' ? parseBool(value) : undefined
    case 'bytes':
      return typeof value === 'string' ? bytes(Buffer.from(value, 'utf8')) : undefined
    case 'duration': {
      const nanos = typeof value === 'string' ? parseDuration(value) : undefined
      return nanos === undefined ? undefined : duration(nanos)
    }
    case 'timestamp':
      return toTimestamp(value)
    default:
      return undefined
  }
}

function toInt(value: CelValue): CelValue | undefined {
  if (typeof value === 'string') return parseInt64(value)
  if (typeof value === 'number') {
    // The bounds themselves are refused, as on the server: a double cannot tell 2^63-1 from 2^63.
    if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) return failure('integer overflow')
    return BigInt(Math.trunc(value))
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'uint') return checkedInt(value.value)
  if (value.kind === 'duration') return value.nanos
  return value.kind === 'timestamp' ? BigInt(value.seconds) : undefined
}

function toUint(value: CelValue): CelValue | undefined {
  if (typeof value === 'string') {
    const parsed = parseUint64(value)
    return parsed === undefined ? undefined : uint(parsed)
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) return failure('unsigned integer overflow')
    return uint(BigInt(Math.trunc(value)))
  }
  if (typeof value !== 'bigint') return undefined
  const checked = checkedUint(value)
  return typeof checked === 'bigint' ? uint(checked) : checked
}

function toDouble(value: CelValue): CelValue | undefined {
  if (typeof value === 'string') return parseDouble(value)
  if (typeof value === 'bigint') return Number(value)
  const unsigned = ofKind(value, 'uint')
  return unsigned === undefined ? undefined : Number(unsigned.value)
}

function toText(value: CelValue): CelValue | undefined {
  if (value === null) return 'null'
  if (typeof value === 'number') return formatGeneral(value)
  if (typeof value !== 'object') return String(value)
  switch (value.kind) {
    case 'uint':
      return value.value.toString()
    case 'duration':
      return formatDuration(value.nanos)
    case 'timestamp':
      return formatTimestamp(value)
    case 'bytes':
      return decodeUtf8(value.bytes)
    case 'type':
      return value.name
    default:
      return undefined
  }
}

function decodeUtf8(value: Uint8Array): CelValue {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value)
  } catch {
    return failure('invalid UTF-8 in bytes, cannot convert to string')
  }
}

function toTimestamp(value: CelValue): CelValue | undefined {
  if (typeof value === 'bigint') return timestamp(Number(value))
  if (typeof value !== 'string') return undefined
  const parsed = parseTimestamp(value, 'rfc3339')
  return typeof parsed === 'string'
    ? undefined
    : timestamp(parsed.seconds, parsed.nanos, parsed.offsetSeconds)
}

const truths = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const falsehoods = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

function parseBool(text: string): boolean | undefined {
  if (truths.has(text)) return true
  return falsehoods.has(text) ? false : undefined
}
