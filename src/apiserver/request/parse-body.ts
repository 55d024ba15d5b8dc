import { isUtf8 } from 'node:buffer'
import { isPlainObject } from '../../base/index.js'
import { type BodyReader, inputFormOf, type RequestBody, textOfBody, unsupportedMediaType } from './body.js'
import { GoDecodeError } from './go-decode-error.js'
import { type JsonSource, parseJsonSource, sourceOf } from './json-source.js'

/** A body as plain data. */
export interface ParsedBody {
  readonly source: JsonSource
  /** Strict errors that only the text shows: keys that YAML has twice. */
  readonly strictErrors: readonly string[]
}

/**
 * Parses JSON, YAML or protobuf, whatever the content type says. Throws ApiFailure 415, or {@link GoDecodeError} for a
 * body that is not what it says.
 */
export async function parseBody(
  body: RequestBody,
  reader: BodyReader,
  expected: TypeMeta,
): Promise<ParsedBody> {
  switch (inputFormOf(body.contentType)) {
    case 'json':
      return { source: parseJsonText(textOfBody(body)), strictErrors: [] }
    case 'yaml':
      if (typeof body.bytes !== 'string' && !isUtf8(body.bytes))
        throw new GoDecodeError('yaml: invalid leading UTF-8 octet')
      return parseYamlText(textOfBody(body))
    case 'protobuf': {
      if (reader.decodeProtobuf === undefined)
        throw unsupportedMediaType(['application/json', 'application/yaml'])
      const bytes = typeof body.bytes === 'string' ? Buffer.from(body.bytes, 'latin1') : body.bytes
      return { source: sourceOf(reader.decodeProtobuf(bytes, expected)), strictErrors: [] }
    }
  }
}

function parseJsonText(text: string): JsonSource {
  try {
    return parseJsonSource(text)
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error
    // The server looks for the kind first, so that is where it stumbles.
    throw new GoDecodeError(`couldn't get version/kind; json parse error: ${error.message}`)
  }
}

/** The same for a text that is YAML, of which JSON is a part. */
export async function parseYamlText(text: string): Promise<ParsedBody> {
  if (/^\s*\{/.test(text)) {
    try {
      const source = parseJsonSource(text)
      // What is repeated is told with its line, which YAML knows.
      if (source.repeatedKeys.size === 0) return { source, strictErrors: [] }
    } catch (error) {
      if (!(error instanceof GoDecodeError)) throw error
      // Flow style of YAML begins with a brace as well.
    }
  }
  const { parseYaml } = await import('./yaml-source.js')
  return parseYaml(text)
}

/** What a body says it is. */
export interface TypeMeta {
  readonly group: string
  readonly version: string
  readonly kind: string
}

const findKind =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** Reads apiVersion and kind. Throws {@link GoDecodeError}. */
export function readTypeMeta(value: unknown): TypeMeta {
  if (!isPlainObject(value) && value !== null) {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    throw new GoDecodeError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${findKind}`,
    )
  }
  const members = value ?? {}
  const [apiVersion, kind] = (['apiVersion', 'kind'] as const).map((field) => {
    const member = Object.hasOwn(members, field) ? members[field] : undefined
    if (member === undefined || member === null) return ''
    if (typeof member === 'string') return member
    const found = Array.isArray(member) ? 'array' : typeof member === 'boolean' ? 'bool' : typeof member
    throw new GoDecodeError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go struct field .${field} of type string`,
    )
  })
  return { ...splitApiVersion(apiVersion ?? ''), kind: kind ?? '' }
}

function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw new GoDecodeError(`unexpected GroupVersion string: ${apiVersion}`)
  const [first = '', second] = parts
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}
