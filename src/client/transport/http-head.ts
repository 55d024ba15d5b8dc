import { setOwn } from '../../base/index.js'
import { InvalidRequestError } from './connection-errors.js'

/** What came is not an HTTP/1.1 response, or not a whole one. */
export class HttpProtocolError extends Error {}

/** How a response says where its body ends. */
export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

/** The head of a response. */
export interface ResponseHead {
  readonly status: number
  /** Lower-case names. Repeated headers are an array. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly framing: BodyFraming
  /** Whether another request may follow on this connection. */
  readonly keepsAlive: boolean
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: |$)/
const token = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/
// HTTP forbids control characters; a line feed among them would begin a header of its own.
// oxlint-disable-next-line no-control-regex
const forbiddenInValue = /[^\t\x20-\x7e\x80-\xff]/
// The server writes its warnings in UTF-8.
const beyondAscii = /[\x80-\xff]/
// oxlint-disable-next-line no-control-regex
const forbiddenInPath = /[^\x21-\x7e]/

/** Reads a head, without the empty line at its end. Throws {@link HttpProtocolError}. */
export function parseResponseHead(text: string, method: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n')
  const match = statusLine.exec(first)
  if (match === null) throw new HttpProtocolError('the answer does not begin with a status line of HTTP/1.1')
  const status = Number(match[2])
  const headers: Record<string, string | string[]> = {}
  for (const line of lines) addHeader(headers, line)
  const framing = framingOf(headers, status, method)
  const isPersistent = match[1] === '1' && !/\bclose\b/i.test(String(headers['connection'] ?? ''))
  return { status, headers, framing, keepsAlive: isPersistent && framing.kind !== 'until-close' }
}

function addHeader(headers: Record<string, string | string[]>, line: string): void {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).toLowerCase()
  // A line that begins with a space would continue the one before it: long forbidden, and a way to smuggle.
  if (!token.test(name)) throw new HttpProtocolError('the answer has a line that is no header')
  const bytes = line.slice(colon + 1).trim()
  if (forbiddenInValue.test(bytes))
    throw new HttpProtocolError(`the header ${name} of the answer has a control character`)
  const value = beyondAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes
  const earlier = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (earlier === undefined) setOwn(headers, name, value)
  else if (typeof earlier === 'string') headers[name] = [earlier, value]
  else earlier.push(value)
}

function framingOf(
  headers: Readonly<Record<string, string | string[]>>,
  status: number,
  method: string,
): BodyFraming {
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200) return { kind: 'none' }
  const encoding = headers['transfer-encoding']
  const length = headers['content-length']
  if (encoding !== undefined) {
    // Two ends of one body: whoever reads the other one sees another message.
    if (length !== undefined) throw new HttpProtocolError('the answer gives its length twice')
    if (String(encoding).toLowerCase() !== 'chunked')
      throw new HttpProtocolError('the answer has a transfer encoding other than chunked')
    return { kind: 'chunked' }
  }
  if (length === undefined) return { kind: 'until-close' }
  const [text = '', ...others] = typeof length === 'string' ? [length] : new Set(length)
  const bytes = Number(text)
  if (others.length > 0 || !/^\d+$/.test(text) || !Number.isSafeInteger(bytes))
    throw new HttpProtocolError('the answer has a length that is no number')
  return { kind: 'length', bytes }
}

/**
 * Writes a head, the empty line included; `headers` are names and values in turn. Throws {@link InvalidRequestError} for
 * what HTTP cannot carry, naming the header and never its value.
 */
export function writeRequestHead(method: string, path: string, headers: readonly string[]): string {
  if (forbiddenInPath.test(path))
    throw new InvalidRequestError(new Error('the path holds a space, a control or a non-ASCII character'))
  let head = `${method} ${path} HTTP/1.1\r\n`
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    if (!token.test(name))
      throw new InvalidRequestError(new Error(`${JSON.stringify(name)} is no header name`))
    if (forbiddenInValue.test(value))
      throw new InvalidRequestError(
        new Error(`the header ${name} holds a control character or one beyond Latin-1`),
      )
    head += `${name}: ${value}\r\n`
  }
  return `${head}\r\n`
}
