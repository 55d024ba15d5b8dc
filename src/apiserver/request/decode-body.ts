import { isPlainObject } from '../../base/index.js'
import { apiVersionOf, type ObjectMetaInput } from '../../objects/index.js'
import { coerceMetadata, goQuote, metadataDecodeProblem } from '../../schema/internal.js'
import type { ApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { findSchema } from '../builtin/schema-of.js'
import { type ApiFailure, badRequest } from '../failure.js'
import type { BodyReader, RequestBody } from './body.js'
import { decodeTyped } from './decode-typed.js'
import { GoDecodeError } from './go-decode-error.js'
import type { JsonSource } from './json-source.js'
import { goTypeOf, isKnownKind } from './known-kinds.js'
import { parseBody, readTypeMeta, type TypeMeta } from './parse-body.js'
import { repeatedFields, unknownFields } from './unknown-fields.js'
import type { FieldValidation } from './write-options.js'

/** What a body should be. */
export interface ExpectedBody {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly schema: ApiSchema | undefined
  /** Custom resources are taken as they are, and pruned by the strategy; others are decoded into their types. */
  readonly isCustom: boolean
  /** Older versions that are taken too. */
  readonly olderVersions?: readonly string[]
  /** What the server says of anything that it cannot decode, where it does not get as far as the reason. */
  readonly refusal?: string
}

export interface DecodedBody {
  readonly object: ApiObject
  /** What strict decoding refuses: `unknown field "spec.x"`. */
  readonly strictErrors: readonly string[]
}

/**
 * The object in a body. Throws ApiFailure: 415 for an unknown encoding, 400 for what cannot be decoded, with the real
 * texts. What is strictly wrong is the caller's to judge ({@link judgeStrictness}).
 */
export async function decodeBody(
  body: RequestBody,
  expected: ExpectedBody,
  reader: BodyReader,
): Promise<DecodedBody> {
  let meta: TypeMeta | undefined
  try {
    // Custom resources have no protobuf form.
    const parsed = await parseBody(body, expected.isCustom ? {} : reader, expected)
    meta = readTypeMeta(parsed.source.value)
    const decoded = expected.isCustom
      ? decodeCustom(parsed.source, meta, { body, expected })
      : decodeBuiltin(parsed.source, meta, expected)
    return { object: decoded.object, strictErrors: [...parsed.strictErrors, ...decoded.strictErrors] }
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error
    if (expected.refusal !== undefined) throw badRequest(expected.refusal)
    meta ??= error.meta
    const kind = meta === undefined ? '' : meta.kind === '' && !expected.isCustom ? expected.kind : meta.kind
    throw undecodable({ kind, version: versionOf(meta, expected) }, expected.kind, error.message, body)
  }
}

function versionOf(meta: TypeMeta | undefined, expected: ExpectedBody): string {
  return meta === undefined || meta.version === '' ? expected.version : meta.version
}

function undecodable(
  found: { readonly kind: string; readonly version: string },
  wanted: string,
  why: string,
  body: RequestBody,
): ApiFailure {
  return badRequest(
    found.kind === ''
      ? `the object provided is unrecognized (must be of type ${wanted}): ${why} (${summary(body)})`
      : `${found.kind} in version ${goQuote(found.version)} cannot be handled as a ${wanted}: ${why}`,
  )
}

const summaryLength = 30

function summary({ bytes }: RequestBody): string {
  const data = Buffer.from(bytes)
  if (data.length === 0) return '<empty>'
  const shown = data.subarray(0, summaryLength)
  const text = shown[0] === 0x7b ? shown.toString() : shown.toString('hex')
  return data.length > summaryLength ? `${text} ...` : text
}

/** Throws what a strict request ends with, or warns of it, or lets it be. */
export function judgeStrictness(
  { object, strictErrors }: DecodedBody,
  { kind, refusal }: ExpectedBody,
  directive: FieldValidation,
  warn: (text: string) => void,
): void {
  if (strictErrors.length === 0 || directive === 'Ignore') return
  if (directive === 'Warn') for (const text of strictErrors) warn(text)
  else {
    const version = object.apiVersion.slice(object.apiVersion.lastIndexOf('/') + 1)
    throw badRequest(
      refusal ??
        `${object.kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${strictDecodingError(strictErrors)}`,
    )
  }
}

/** Those of lines of YAML are one error, which is about all of them. */
export function strictDecodingError(errors: readonly string[]): string {
  const lines = errors.filter((error) => ofLine.test(error))
  const others = errors.filter((error) => !ofLine.test(error))
  const all = lines.length === 0 ? others : [`yaml: unmarshal errors:\n  ${lines.join('\n  ')}`, ...others]
  return `strict decoding error: ${all.join(', ')}`
}

const ofLine = /^line \d+: /

function decodeBuiltin(source: JsonSource, given: TypeMeta, expected: ExpectedBody): DecodedBody {
  const { group, version } =
    given.version === '' && (given.group === '' || given.group === expected.group) ? expected : given
  const kind = given.kind === '' ? expected.kind : given.kind
  const apiVersion = apiVersionOf({ group, version })
  const isVersion = version === expected.version || expected.olderVersions?.includes(version) === true
  if (group !== expected.group || kind !== expected.kind || !isVersion)
    refuseKind(source, { group, version, kind }, expected)
  const { value, strictErrors } = decodeTyped(source, expected.schema ?? {})
  return { object: asObject(value, apiVersion, kind, false), strictErrors }
}

/** Never returns: a body of another kind than the path's, which is refused for what it is only if it is one of these. */
function refuseKind(source: JsonSource, given: TypeMeta, expected: ExpectedBody): never {
  const apiVersion = apiVersionOf(given)
  if (!isKnownKind(given, expected.group))
    throw new GoDecodeError(
      `no kind "${given.kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    )
  const schema = findSchema(given)
  if (schema !== undefined) decodeTyped(source, schema)
  if (given.group === expected.group && given.kind === expected.kind) throw otherVersion(apiVersion, expected)
  const internalPackage = expected.group === '' ? 'core' : (expected.group.split('.')[0] ?? '')
  throw new GoDecodeError(
    `converting (${goTypeOf(given)}) to (${internalPackage}.${expected.kind}): unknown conversion`,
  )
}

function otherVersion(apiVersion: string, expected: ExpectedBody): ApiFailure {
  return badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(expected)})`,
  )
}

function decodeCustom(
  source: JsonSource,
  given: TypeMeta,
  { body, expected }: { readonly body: RequestBody; readonly expected: ExpectedBody },
): DecodedBody {
  if (given.kind === '')
    throw new GoDecodeError(`Object 'Kind' is missing in '${Buffer.from(body.bytes).toString()}'`)
  const apiVersion = apiVersionOf(given)
  const { object, strictErrors } = decodeCustomObject(source, expected)
  if (apiVersion !== apiVersionOf(expected)) throw otherVersion(apiVersion, expected)
  return { object, strictErrors }
}

/** The object in plain data that a patch made. Throws {@link GoDecodeError}. */
export function decodeData(source: JsonSource, expected: ExpectedBody): DecodedBody {
  return expected.isCustom
    ? decodeCustomObject(source, expected)
    : decodeBuiltin(source, readTypeMeta(source.value), expected)
}

/** A custom resource out of plain data: only its metadata has a type. */
function decodeCustomObject(source: JsonSource, expected: ExpectedBody): DecodedBody {
  const { value } = source
  // To the server it is a list then, of which it has no schema.
  const isList = isPlainObject(value) && Object.hasOwn(value, 'items')
  const strictErrors = [
    ...repeatedFields(source).map((path) => `duplicate field ${goQuote(path)}`),
    ...(expected.schema === undefined || isList ? [] : unknownFields(value, expected.schema)).map(
      (path) => `unknown field "${path}"`,
    ),
  ]
  const members = isPlainObject(value) ? value : {}
  const { apiVersion, kind } = members
  return {
    object: asObject(
      value,
      typeof apiVersion === 'string' ? apiVersion : '',
      typeof kind === 'string' ? kind : '',
      true,
    ),
    strictErrors,
  }
}

/** The object that a value of the right type is. */
export function objectOf(value: unknown, expected: ExpectedBody): ApiObject {
  return asObject(value, apiVersionOf(expected), expected.kind, expected.isCustom)
}

/** Plain data with its type and metadata in front, in the order that the server writes them. */
function asObject(value: unknown, apiVersion: string, kind: string, isCustom: boolean): ApiObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = isPlainObject(value) ? value : {}
  const problem = isCustom ? metadataDecodeProblem(metadata) : undefined
  if (problem !== undefined) throw new GoDecodeError(problem)
  // Decoding has proved the types of what is in it.
  const typed = (isCustom ? coerceMetadata(metadata ?? {}) : (metadata ?? {})) as ObjectMetaInput
  return isCustom
    ? { apiVersion, kind, metadata: typed, ...rest }
    : { kind, apiVersion, metadata: typed, ...rest }
}
