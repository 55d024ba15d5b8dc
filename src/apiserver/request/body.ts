import { ApiFailure, tooLargeBody } from '../failure.js'
import type { ProtobufSource } from '../output/protobuf-codec.js'
import type { TypeMeta } from './parse-body.js'

/** The bytes of a request and what they are said to be. */
export interface RequestBody {
  readonly bytes: string | Uint8Array
  /** Of the header `content-type`; empty if there was none. */
  readonly contentType: string
}

/**
 * Decodes the protobuf form of an object, `k8s\0` in front; what it does not say of its type is taken from what is
 * expected. Of a kind that has no such form, only the type is given. Throws GoDecodeError for bytes that are none.
 */
export type ProtobufDecoder = (bytes: Uint8Array, expected: TypeMeta) => ProtobufSource

/** What bodies are read with. */
export interface BodyReader {
  /** Without one, protobuf is answered with 415, and clients turn to JSON. */
  readonly decodeProtobuf?: ProtobufDecoder
}

const maxBytes = 3 * 1024 * 1024

/** The body of a request. Throws ApiFailure 413 beyond 3 MiB. */
export function bodyOf(
  bytes: string | Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): RequestBody {
  if (bytes === undefined || bytes.length === 0)
    return { bytes: '', contentType: headers['content-type'] ?? '' }
  // A string has at most three bytes for each of its units: most need no counting.
  const isLarge = bytes.length > maxBytes || (typeof bytes === 'string' && bytes.length > maxBytes / 3)
  if (isLarge && Buffer.byteLength(bytes) > maxBytes)
    throw tooLargeBody(`Request entity too large: limit is ${maxBytes}`)
  return { bytes, contentType: headers['content-type'] ?? '' }
}

export function textOfBody({ bytes }: RequestBody): string {
  if (typeof bytes === 'string') return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

export type InputForm = 'json' | 'yaml' | 'protobuf'

const forms: Readonly<Record<string, InputForm>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
}

/** How a body is encoded; JSON, if nothing is said. Throws ApiFailure 415. */
export function inputFormOf(contentType: string): InputForm {
  const type = contentType === '' ? 'application/json' : mediaTypeOf(contentType)
  const form = type !== undefined && Object.hasOwn(forms, type) ? forms[type] : undefined
  if (form === undefined) throw unsupportedMediaType(Object.keys(forms))
  return form
}

const parameter = /^\s*;\s*[^\s;=",/]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;",/]+)/

/** The type without its parameters, or undefined when the header is malformed. */
function mediaTypeOf(header: string): string | undefined {
  const semicolon = header.indexOf(';')
  if (semicolon < 0) return header.trim().toLowerCase()
  let rest = header.slice(semicolon)
  while (rest.trim() !== '' && rest.trim() !== ';') {
    const match = parameter.exec(rest)
    if (match === null) return undefined
    rest = rest.slice(match[0].length)
  }
  return header.slice(0, semicolon).trim().toLowerCase()
}

/** 415, with what would have been understood. */
export function unsupportedMediaType(supported: readonly string[]): ApiFailure {
  return new ApiFailure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${supported.join(', ')}`,
  })
}
