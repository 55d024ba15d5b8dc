import type { FieldError, FieldErrorReason } from '../field-error.js'
import { fieldName, shownValue } from './field-errors.js'
import { goJson, goPrint, goQuote } from './go-text.js'

/**
 * One violation of a schema, as the server's validator states it. The sentence names the path; the server keeps
 * sentences unique, so it is also the identity of the issue.
 */
export interface Issue {
  readonly sentence: string
  /** Undefined where the server blames the whole object. */
  readonly path: string | undefined
  readonly reason: FieldErrorReason
  readonly message: string
}

/** The issue as a field error below `base`. */
export function toFieldError(issue: Issue, base: string): FieldError {
  // Paths below the root begin with a dot where they come from `required` and from maps.
  const path = (issue.path ?? '').replace(/^\./, '')
  const field = path === '' ? base : base === '' ? path : `${base}.${path}`
  return { reason: issue.reason, field: fieldName(field), message: issue.message }
}

/** Only the first of equal sentences is reported. */
export function withoutRepeats(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length < 2) return issues
  const seen = new Set<string>()
  return issues.filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence))
}

/** Something is wrong that the server does not pin to a field. */
export function generalIssue(sentence: string): Issue {
  return { sentence, path: undefined, reason: 'FieldValueInvalid', message: `Invalid value: "": ${sentence}` }
}

function invalidIssue(path: string, value: unknown, clause: string): Issue {
  const sentence = `${path} in body ${clause}`
  return {
    sentence,
    path,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${shownValue(value)}: ${sentence}`,
  }
}

export function typeIssue(path: string, wanted: string, found: string): Issue {
  const sentence = `${path} in body must be of type ${wanted}: ${goQuote(found)}`
  return {
    sentence,
    path,
    reason: 'FieldValueTypeInvalid',
    message: `Invalid value: ${goQuote(found)}: ${sentence}`,
  }
}

export function requiredIssue(path: string): Issue {
  return {
    sentence: `${path} in body is required`,
    path,
    reason: 'FieldValueRequired',
    message: 'Required value',
  }
}

export function enumIssue(path: string, value: unknown, allowed: readonly unknown[]): Issue {
  const supported = allowed.map((item) => goQuote(typeof item === 'string' ? item : goJson(item))).join(', ')
  return {
    sentence: `${path} in body should be one of ${goPrint(allowed)}`,
    path,
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${shownValue(value)}: supported values: ${supported}`,
  }
}

export function maxLengthIssue(path: string, max: number): Issue {
  return {
    sentence: `${path} in body should be at most ${max} chars long`,
    path,
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`,
  }
}

export function minLengthIssue(path: string, min: number, value: string): Issue {
  return invalidIssue(path, value, `should be at least ${min} chars long`)
}

export function patternIssue(path: string, pattern: string, value: string): Issue {
  return invalidIssue(path, value, `should match '${pattern}'`)
}

function tooManyIssue(path: string, clause: string, max: number, size: number): Issue {
  return {
    sentence: `${path} in body ${clause}`,
    path,
    reason: 'FieldValueTooMany',
    message: `Too many: ${size}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  }
}

export function maxItemsIssue(path: string, max: number, size: number): Issue {
  return tooManyIssue(path, `should have at most ${max} items`, max, size)
}

export function minItemsIssue(path: string, min: number, size: number): Issue {
  return invalidIssue(path, size, `should have at least ${min} items`)
}

export function repeatedItemsIssue(path: string): Issue {
  return invalidIssue(path, '', "shouldn't contain duplicates")
}

export function maxPropertiesIssue(path: string, max: number, size: number): Issue {
  return tooManyIssue(path, `should have at most ${max} properties`, max, size)
}

export function minPropertiesIssue(path: string, min: number, size: number): Issue {
  return invalidIssue(path, size, `should have at least ${min} properties`)
}

export function forbiddenPropertyIssue(path: string, key: string): Issue {
  const sentence = `${path}.${key} in body is a forbidden property`
  return {
    sentence,
    path,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${goQuote(key)}: ${sentence}`,
  }
}

/** A number beyond a bound. Value and bound are texts: an integer that was compared as a float is printed as one. */
export function boundIssue(path: string, shown: string, clause: string): Issue {
  const sentence = `${path} in body should be ${clause}`
  return { sentence, path, reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${sentence}` }
}

/** A factor of zero or less; fractions become zero when an integer is checked. */
export function factorIssue(path: string, shownFactor: string): Issue {
  const sentence = `factor MultipleOf declared for ${path} must be positive: ${shownFactor}`
  return {
    sentence,
    path,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${shownFactor}: ${sentence}`,
  }
}
