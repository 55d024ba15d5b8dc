import type { WireReader } from './wire-reader.js'
import type { WireType } from './wire-type.js'
import type { WireWriter } from './wire-writer.js'

export const textType: WireType = {
  wire: 2,
  write(out, value) {
    if (typeof value === 'string') out.text(value)
  },
  read: (input, end) => input.text(end),
  zero: () => '',
}

export const boolType: WireType = {
  wire: 0,
  write: (out, value) => out.varint(value === true ? 1 : 0),
  read: (input, end) => input.bool(end),
  zero: () => false,
}

export const int32Type: WireType = integerType((input, end) => input.int32(end))
export const int64Type: WireType = integerType((input, end) => input.int64(end))

function integerType(read: (input: WireReader, end: number) => number | bigint): WireType {
  return { wire: 0, write: writeInteger, read, zero: () => 0 }
}

function writeInteger(out: WireWriter, value: unknown): void {
  if (typeof value === 'bigint') out.varint(value)
  else out.varint(typeof value === 'number' ? Math.trunc(value) : 0)
}

export const doubleType: WireType = {
  wire: 1,
  write: (out, value) => out.double(Number(value ?? 0)),
  read: (input, end) => input.double(end),
  zero: () => 0,
}

/** Base64 in JSON. */
export const bytesType: WireType = {
  wire: 2,
  isNullable: true,
  write(out, value) {
    if (typeof value === 'string' && value !== '') out.raw(Buffer.from(value, 'base64'))
  },
  read: (input, end) => input.base64(end),
  zero: () => null,
}
