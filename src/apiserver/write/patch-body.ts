import { isPlainObject } from '../../base/index.js'
import { goQuote } from '../../schema/internal.js'
import type { ApiSchema } from '../api-schema.js'
import { badRequest } from '../failure.js'
import { decodeTyped } from '../request/decode-typed.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import { type JsonSource, parseJsonSource } from '../request/json-source.js'
import { type ParsedBody, parseYamlText } from '../request/parse-body.js'
import { repeatedFields } from '../request/unknown-fields.js'
import type { FieldValidation } from '../request/write-options.js'
import type { PatchType } from './patch-types.js'

/** A patch as plain data. */
export interface PatchBody {
  readonly value: unknown
  /** What strict decoding refuses in the patch itself. */
  readonly strictErrors: readonly string[]
}

/** Reads a patch. Rejects with ApiFailure 400, with the text that the server has for this sort. */
export async function parsePatch(
  type: PatchType,
  text: string,
  fieldValidation: FieldValidation,
): Promise<PatchBody> {
  if (type === 'application/apply-patch+yaml') return parseApply(text)
  const isLenient = fieldValidation === 'Ignore'
  let source: JsonSource
  try {
    source = parseJsonSource(text)
    const found = jsonKind(source.value)
    switch (type) {
      case 'application/json-patch+json':
        return { value: source.value, strictErrors: operationErrors(text) }
      case 'application/merge-patch+json':
        if (found === 'null') throw badRequest('Invalid JSON Patch')
        if (found !== 'object' && !isLenient) throw notAMap(found)
        break
      case 'application/strategic-merge-patch+json':
        if (found !== 'object' && found !== 'null') throw notAMap(found)
        break
    }
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error
    if (type === 'application/strategic-merge-patch+json') throw badRequest(error.message)
    if (!isLenient) throw badRequest(`error decoding patch: ${error.message}`)
    throw badRequest(type === 'application/merge-patch+json' ? 'Invalid JSON Patch' : error.message)
  }
  return {
    value: source.value ?? {},
    strictErrors: repeatedFields(source).map((path) => `duplicate field ${goQuote(path)}`),
  }
}

const operations: ApiSchema = {
  type: 'array',
  goValue: '[]handlers.jsonPatchOp',
  items: {
    type: 'object',
    goType: 'jsonPatchOp',
    goValue: 'handlers.jsonPatchOp',
    properties: {
      op: { type: 'string', goValue: 'string' },
      path: { type: 'string', goValue: 'string' },
      from: { type: 'string', goValue: 'string' },
      value: { 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
}

/** Decoding changes what it decodes, so it gets a reading of its own. */
function operationErrors(text: string): readonly string[] {
  return decodeTyped(parseJsonSource(text), operations).strictErrors.map((error) => `json patch ${error}`)
}

async function parseApply(text: string): Promise<PatchBody> {
  let parsed: ParsedBody
  try {
    parsed = await parseYamlText(text)
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
  }
  const { source, strictErrors } = parsed
  const found = jsonKind(source.value)
  if (found !== 'object' && found !== 'null')
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: ${notAMap(found).message}`,
    )
  return { value: source.value ?? {}, strictErrors }
}

function notAMap(found: string): GoDecodeError {
  return new GoDecodeError(`json: cannot unmarshal ${found} into Go value of type map[string]interface {}`)
}

function jsonKind(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isPlainObject(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number'
}
