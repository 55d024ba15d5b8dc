import { crc32 } from 'node:zlib'
import type { StoredObject } from './store.js'
import { StoredJson } from './stored-json.js'

/** One entry of a file of the store. */
export type StoreRecord =
  | { readonly type: 'put' | 'delete'; readonly state: StoredObject }
  /** The file is opened for writing, at this revision. `note` says by which boot of the machine. */
  | { readonly type: 'begin'; readonly revision: number; readonly note: string }
  /** Everything is written. In a snapshot `note` is the number of objects. */
  | { readonly type: 'end'; readonly revision: number; readonly note: string }
  /** Revisions up to this one may have been seen by somebody and lost: none of them is given out again. */
  | { readonly type: 'skip'; readonly revision: number; readonly note: string }

const types: readonly StoreRecord['type'][] = ['put', 'delete', 'begin', 'end', 'skip']

/** The length of the payload, its checksum, and the checksum of these two: a damaged length is not believed. */
const headerBytes = 12
/** Type, revision and the lengths of three texts. */
const fixedBytes = 15
/** Larger than anything that a server accepts: a header that says more is none. */
const longestPayload = 256 * 2 ** 20

const nothing = Buffer.alloc(0)

/** A record as the parts to write, so that the bytes of an object are not copied. */
export function encodeRecord(record: StoreRecord): Buffer[] {
  const state = 'state' in record ? record.state : undefined
  const revision = 'state' in record ? record.state.revision : record.revision
  const texts =
    'state' in record
      ? [record.state.resource, record.state.apiVersion, record.state.key]
      : [record.note, '', '']
  const tail = state?.json ?? nothing
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const textBytes = lengths.reduce((sum, length) => sum + length, 0)
  const head = Buffer.allocUnsafe(headerBytes + fixedBytes + textBytes)
  let at = headerBytes
  at = head.writeUInt8(types.indexOf(record.type), at)
  at = head.writeDoubleLE(revision, at)
  for (const length of lengths) at = head.writeUInt16LE(length, at)
  for (const text of texts) at += head.write(text, at)
  head.writeUInt32LE(fixedBytes + textBytes + tail.length, 0)
  head.writeUInt32LE(crc32(tail, crc32(head.subarray(headerBytes))), 4)
  head.writeUInt32LE(crc32(head.subarray(0, 8)), 8)
  return tail.length === 0 ? [head] : [head, tail]
}

/** What begins at a place: a record, a record that goes on beyond these bytes, or neither. */
export type RecordReading =
  | { readonly kind: 'record'; readonly record: StoreRecord; readonly length: number }
  | { readonly kind: 'partial'; readonly needs: number }
  | { readonly kind: 'damaged'; readonly problem: string }

export function readRecord(bytes: Buffer, at: number): RecordReading {
  if (bytes.length - at < headerBytes) return { kind: 'partial', needs: headerBytes }
  if (!hasHeader(bytes, at)) return { kind: 'damaged', problem: 'there is no record' }
  const payloadLength = bytes.readUInt32LE(at)
  const length = headerBytes + payloadLength
  if (bytes.length - at < length) return { kind: 'partial', needs: length }
  const payload = bytes.subarray(at + headerBytes, at + length)
  if (crc32(payload) !== bytes.readUInt32LE(at + 4))
    return { kind: 'damaged', problem: 'the record is not what was written' }
  const record = decodePayload(payload)
  return record === undefined
    ? { kind: 'damaged', problem: 'a newer version has written it' }
    : { kind: 'record', record, length }
}

/** Whether a whole record stands anywhere behind this place: then what is before it was not the last thing written. */
export function hasRecordAfter(bytes: Buffer, from: number): boolean {
  for (let at = from; at + headerBytes < bytes.length; at++) {
    if (hasHeader(bytes, at) && readRecord(bytes, at).kind === 'record') return true
  }
  return false
}

function hasHeader(bytes: Buffer, at: number): boolean {
  const length = bytes.readUInt32LE(at)
  if (length < fixedBytes || length > longestPayload) return false
  return crc32(bytes.subarray(at, at + 8)) === bytes.readUInt32LE(at + 8)
}

function decodePayload(payload: Buffer): StoreRecord | undefined {
  const type = types[payload.readUInt8(0)]
  const revision = payload.readDoubleLE(1)
  let at = fixedBytes
  const text = (lengthAt: number): string => {
    const start = at
    at += payload.readUInt16LE(lengthAt)
    return payload.toString('utf8', start, at)
  }
  const [first, apiVersion, key] = [text(9), text(11), text(13)]
  switch (type) {
    case undefined:
      return undefined
    case 'put':
    case 'delete': {
      // Not a view: it would hold the whole block that was read.
      const json = Buffer.allocUnsafeSlow(payload.length - at)
      payload.copy(json, 0, at)
      return { type, state: new StoredJson({ resource: first, key, revision, apiVersion, json }) }
    }
    case 'begin':
    case 'end':
    case 'skip':
      return { type, revision, note: first }
    default:
      return type satisfies never
  }
}
