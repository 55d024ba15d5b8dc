import { isPlainObject, JsonSyntaxError, parseJson } from '../../base/index.js'
import { badRequest } from '../failure.js'
import { jsonSyntaxProblem } from '../request/go-json-syntax.js'

/** Where a list goes on. */
export interface ContinueToken {
  /** The revision that all pages show; undefined for whatever is there now, after the first one was lost. */
  readonly revision: number | undefined
  /** The first key of the page, or the place where it would be, relative to what is listed. */
  readonly start: string
}

const version = 'meta.k8s.io/v1'

/** A token for the page behind this key. */
export function encodeContinue(lastKey: string, revision: number): string {
  return encode(`/${lastKey}\0`, revision)
}

/** A token to go on where `start` says, with what is there by then. */
export function encodeInconsistentContinue(start: string): string {
  return encode(start, -1)
}

function encode(start: string, revision: number): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision, start })).toString('base64url')
}

/** Reads a token that some client sends back. Throws a 400 in the words of the real server. */
export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = fieldsOf(decodeBase64(token))
  if (v !== version) throw notValid(`: server does not recognize this encoded version ${v}`)
  if (rv === 0) throw notValid(`: incorrect encoded start resourceVersion (version ${version})`)
  if (start === '') throw notValid(`: encoded start key empty (version ${version})`)
  const path = start.startsWith('/') ? start : `/${start}`
  // A path that means another one could leave what it is allowed to list.
  if (path.length > 1 && (path.endsWith('/') || /\/(?:\.{0,2})(?:\/|$)/.test(path)))
    throw notValid(`: ${start}`)
  return { revision: rv > 0 ? rv : undefined, start: path.slice(1) }
}

function decodeBase64(token: string): Buffer {
  const end = /[^A-Za-z0-9_-]/.exec(token)?.index
  if (end !== undefined) throw notValid(`: illegal base64 data at input byte ${end}`)
  if (token.length % 4 === 1) throw notValid(`: illegal base64 data at input byte ${token.length - 1}`)
  return Buffer.from(token, 'base64url')
}

function fieldsOf(json: Buffer): { readonly v: string; readonly rv: number; readonly start: string } {
  const value = parsed(json)
  if (!isPlainObject(value)) {
    if (value === null) return { v: '', rv: 0, start: '' }
    throw notValid(`: json: cannot unmarshal ${typeName(value)} into Go value of type storage.continueToken`)
  }
  const { v = '', rv = 0, start = '' } = value
  if (typeof v !== 'string') throw wrongType(v, 'v', 'string')
  if (typeof rv !== 'number' || !Number.isInteger(rv)) throw wrongType(rv, 'rv', 'int64')
  if (typeof start !== 'string') throw wrongType(start, 'start', 'string')
  return { v, rv, start }
}

function parsed(json: Buffer): unknown {
  try {
    return parseJson(json.toString('utf8'))
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw notValid(`: ${jsonSyntaxProblem(json) ?? error.message}`)
  }
}

function wrongType(value: unknown, field: string, goType: string): Error {
  const written = typeof value === 'number' || typeof value === 'bigint' ? `number ${value}` : typeName(value)
  return notValid(
    `: json: cannot unmarshal ${written} into Go struct field continueToken.${field} of type ${goType}`,
  )
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'number'
  return typeof value
}

function notValid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`)
}
