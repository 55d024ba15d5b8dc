import { isPrintable } from '../../base/index.js'
import { apiVersionOf } from '../../objects/index.js'
import type { FieldError } from '../../schema/index.js'
import { forbidden, goQuote, invalid, required, shownValue, tooLong } from '../../schema/internal.js'
import type { ApiObject } from '../api-object.js'
import { invalid as invalidFailure } from '../failure.js'
import { isTrue } from './parse-request.js'

/** What the server does with fields that it does not know, or that are there twice. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** The parameters of a create, an update or a patch. */
export interface WriteOptions {
  readonly isDryRun: boolean
  /** Empty if the request names none. */
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  /** Only of an apply. */
  readonly isForced: boolean
  /** The same for admission, as an object of the kind that was asked for. */
  readonly object: ApiObject
}

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'

const longestManager = 128
const directives: readonly string[] = ['', 'Ignore', 'Strict', 'Warn']

/** Reads and checks the parameters of a create or an update. Throws ApiFailure: 422, with the real texts. */
export function readWriteOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions',
): WriteOptions {
  return checked(query, kind, [])
}

/** The same for a patch. An apply must name its manager, and only an apply may be forced. */
export function readPatchOptions(query: URLSearchParams, isApply: boolean): WriteOptions {
  const errors: FieldError[] = []
  if (isApply) {
    if ((query.get('fieldManager') ?? '') === '')
      errors.push(required('fieldManager', 'is required for apply patch'))
  } else if (query.has('force')) errors.push(forbidden('force', 'may not be specified for non-apply patch'))
  return checked(query, 'PatchOptions', errors)
}

function checked(query: URLSearchParams, kind: OptionsKind, before: readonly FieldError[]): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? ''
  const dryRun = query.getAll('dryRun')
  const fieldValidation = query.get('fieldValidation') ?? ''
  const errors = [...before, ...managerErrors(fieldManager), ...dryRunErrors(dryRun)]
  if (!directives.includes(fieldValidation))
    errors.push(notSupported('fieldValidation', fieldValidation, directives))
  if (errors.length > 0) throw invalidOptions(kind, errors)
  const isForced = isTrue(query.get('force'))
  return {
    isDryRun: dryRun.length > 0,
    fieldManager,
    // The check above leaves these three and the empty one.
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    isForced,
    object: optionsObject(kind, {
      ...(query.has('force') && { force: isForced }),
      ...(dryRun.length > 0 && { dryRun }),
      ...(fieldManager !== '' && { fieldManager }),
      ...(fieldValidation !== '' && { fieldValidation }),
    }),
  }
}

/** Options as admission gets to see them. They have no metadata. */
export function optionsObject(
  kind: OptionsKind | 'DeleteOptions',
  members: Record<string, unknown>,
): ApiObject {
  // Admission looks at the members it knows; no options have metadata.
  return {
    kind,
    apiVersion: apiVersionOf({ group: 'meta.k8s.io', version: 'v1' }),
    ...members,
  } as unknown as ApiObject
}

/** The same options, for a write that turned out to be of another sort: an apply that creates. */
export function optionsAs(kind: 'CreateOptions' | 'UpdateOptions', { object }: WriteOptions): ApiObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, force: _force, ...members } = object
  return optionsObject(kind, members)
}

/** 422 for parameters. */
export function invalidOptions(kind: string, errors: readonly FieldError[]): Error {
  return invalidFailure({ group: 'meta.k8s.io', resource: kind }, '', errors)
}

/** `Unsupported value: "x": supported values: "A", "B"`. */
export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const message = `Unsupported value: ${shownValue(value)}: supported values: ${supported.map(goQuote).join(', ')}`
  return { reason: 'FieldValueNotSupported', field: path, message }
}

/** What is wrong with the values of `dryRun`. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])]
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(manager) > longestManager) errors.push(tooLong('fieldManager', longestManager))
  let position = 0
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      errors.push(invalid('fieldManager', manager, `invalid character U+${code} (at position ${position})`))
    }
    position += Buffer.byteLength(character)
  }
  return errors
}

/** Who is written down as the owner of fields: the manager that was named, or the program of the user agent. */
export function managerName(options: WriteOptions, userAgent: string): string {
  if (options.fieldManager !== '') return options.fieldManager
  let name = ''
  let length = 0
  for (const character of userAgent.split('/')[0] ?? '') {
    if (!isPrintable(character)) continue
    length += Buffer.byteLength(character)
    if (length > longestManager) break
    name += character
  }
  return name
}
