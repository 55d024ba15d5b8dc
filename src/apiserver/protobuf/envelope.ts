import { isPlainObject } from '../../base/index.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import { type MessageField, MessageType } from './message-type.js'
import { textType } from './scalar-types.js'
import { WireReader } from './wire-reader.js'
import type { WireType } from './wire-type.js'
import type { WireWriter } from './wire-writer.js'

/** `k8s\0`. */
const prefix = Buffer.from([0x6b, 0x38, 0x73, 0])

/** What is around every object on the wire: a `runtime.Unknown`. */
export interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  /** Where the object stands in the bytes of the reader, which is at its beginning. */
  readonly input: WireReader
  readonly end: number
}

/** Where a value stands, unread. */
class Span {
  readonly start: number
  readonly end: number

  constructor(start: number, end: number) {
    this.start = start
    this.end = end
  }
}

const spanType: WireType = {
  wire: 2,
  isNullable: true,
  write: () => {},
  read(input, end) {
    const span = new Span(input.at, end)
    input.at = end
    return span
  },
  zero: () => undefined,
}

const typeMeta = new MessageType('TypeMeta', () => [
  field('APIVersion', 1, textType),
  field('Kind', 2, textType),
])
const unknown = new MessageType('Unknown', () => [
  field('TypeMeta', 1, typeMeta),
  field('Raw', 2, spanType),
  field('ContentEncoding', 3, textType),
  field('ContentType', 4, textType),
])

/** Writes an envelope around what `writeObject` writes, and takes it all from the writer. */
export function seal(
  out: WireWriter,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  writeObject: () => void,
): Buffer {
  try {
    out.raw(emptyEnd)
    const before = out.length
    writeObject()
    out.varint(out.length - before)
    out.varint(0x12)
    const beforeMeta = out.length
    typeMeta.write(out, { APIVersion: apiVersion, Kind: kind })
    out.varint(out.length - beforeMeta)
    out.varint(0x0a)
    out.raw(prefix)
    return out.take()
  } finally {
    out.clear()
  }
}

/** No content encoding and no content type, which Go writes all the same. */
const emptyEnd = Buffer.from([0x1a, 0, 0x22, 0])

/** Opens an envelope. Throws {@link GoDecodeError}. */
export function open(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new GoDecodeError('empty data')
  const input = new WireReader(bytes)
  if (!input.bytes.subarray(0, prefix.length).equals(prefix))
    throw new GoDecodeError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix.join(' ')}]`,
    )
  if (bytes.length === prefix.length) throw new GoDecodeError('empty body')
  input.at = prefix.length
  const read: Record<string, unknown> = {}
  unknown.readInto(input, bytes.length, read)
  const { TypeMeta, Raw } = read
  const { APIVersion, Kind } = isPlainObject(TypeMeta) ? TypeMeta : {}
  const { start, end } = Raw instanceof Span ? Raw : new Span(0, 0)
  input.at = start
  return { apiVersion: textOf(APIVersion), kind: textOf(Kind), input, end }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function field(name: string, number: number, type: WireType): MessageField {
  return { name, goName: name, number, shape: 'single', isOptional: false, isAlways: false, type }
}
