import type { FieldError, FieldErrorReason } from '../field-error.js'
import { goJson, goNumber, goQuote } from './go-text.js'

/** A field by its path; the empty path is the whole object, which the server calls `<nil>`. */
export function fieldName(path: string): string {
  return path === '' ? '<nil>' : path
}

export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** A value as it stands in a message. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value)
  return goJson(value)
}

function error(reason: FieldErrorReason, path: string, message: string, detail = ''): FieldError {
  return { reason, field: fieldName(path), message: detail === '' ? message : `${message}: ${detail}` }
}

export function invalid(path: string, value: unknown, detail: string): FieldError {
  return invalidAs(path, shownValue(value), detail)
}

/** As {@link invalid}, for a value that is already text. */
export function invalidAs(path: string, shown: string, detail: string): FieldError {
  return error('FieldValueInvalid', path, `Invalid value: ${shown}`, detail)
}

export function required(path: string, detail = ''): FieldError {
  return error('FieldValueRequired', path, 'Required value', detail)
}

export function forbidden(path: string, detail: string): FieldError {
  return error('FieldValueForbidden', path, 'Forbidden', detail)
}

export function duplicate(path: string, value: unknown): FieldError {
  return error('FieldValueDuplicate', path, `Duplicate value: ${shownValue(value)}`)
}

/** The server says bytes, also where it counted characters. */
export function tooLong(path: string, max: number): FieldError {
  return error(
    'FieldValueTooLong',
    path,
    'Too long',
    `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`,
  )
}
