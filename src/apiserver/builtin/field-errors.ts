/**
 * What is wrong with a field, in the words of the API server. Paths are texts: `spec.containers[0].name`.
 *
 * @module
 */
import type { FieldError } from '../../schema/index.js'
import { goQuote, shownValue } from '../../schema/internal.js'

export type { FieldError } from '../../schema/index.js'
export {
  duplicate,
  forbidden,
  goQuote,
  invalid,
  invalidAs,
  required,
  tooLong,
} from '../../schema/internal.js'

/** `spec.containers[2]`. */
export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`
}

/** `data[key]`. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`
}

/** `Unsupported value: "x": supported values: "A", "B"`. */
export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.length === 0 ? '' : `: supported values: ${supported.map(goQuote).join(', ')}`
  return {
    reason: 'FieldValueNotSupported',
    field: path,
    message: `Unsupported value: ${shownValue(value)}${list}`,
  }
}

/** `Too many: 5: must have at most 3 items`. */
export function tooMany(path: string, count: number, max: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field: path,
    message: `Too many: ${count}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  }
}

/** `Not found: "x"`. */
export function notFound(path: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field: path, message: `Not found: ${shownValue(value)}` }
}

/** One `Invalid value` for each problem that a rule names. */
export function invalidFor(path: string, value: unknown, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => ({
    reason: 'FieldValueInvalid',
    field: path,
    message: `Invalid value: ${shownValue(value)}: ${problem}`,
  }))
}

/** As `duplicate`, for a value that is already text: the server's own types have an order of fields. */
export function duplicateAs(path: string, shown: string, detail = ''): FieldError {
  const message = `Duplicate value: ${shown}${detail === '' ? '' : `: ${detail}`}`
  return { reason: 'FieldValueDuplicate', field: path, message }
}
