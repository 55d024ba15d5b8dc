/**
 * Rules that many kinds have for single values, in the server's words.
 *
 * @module
 */
import { deepEqual } from '../../base/index.js'
import { dns1123LabelErrors, dns1123SubdomainErrors, labelKeyErrors } from '../../objects/index.js'
import { type FieldError, invalid, invalidFor, notSupported, required } from './field-errors.js'

/** Null and absent are one and the same to the server. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** Not given, or given as the empty text. */
export function isBlank(value: unknown): value is null | undefined | '' {
  return isAbsent(value) || value === ''
}

/** Absent is right. */
export function validateNonNegative(value: number | bigint | null | undefined, path: string): FieldError[] {
  return isAbsent(value) || value >= 0 ? [] : [invalid(path, value, 'must be greater than or equal to 0')]
}

/** For what is set once and for all. */
export function validateImmutable(value: unknown, old: unknown, path: string): FieldError[] {
  return deepEqual(value ?? null, old ?? null) ? [] : [invalid(path, value ?? null, 'field is immutable')]
}

/** One of a few words; `ifEmpty` when none is not the same as a wrong one. */
export function validateWord(
  value: string | null | undefined,
  words: readonly string[],
  path: string,
  ifEmpty?: string,
): FieldError[] {
  if (isBlank(value) && ifEmpty !== undefined) return [required(path, ifEmpty)]
  return words.includes(value ?? '') ? [] : [notSupported(path, value ?? '', words)]
}

export function validateDnsLabel(value: string, path: string): FieldError[] {
  return invalidFor(path, value, dns1123LabelErrors(value))
}

export function validateDnsSubdomain(value: string, path: string): FieldError[] {
  return invalidFor(path, value, dns1123SubdomainErrors(value))
}

/** A name with an optional domain before it: the type of a condition, the key of a label. */
export function validateQualifiedName(value: string, path: string): FieldError[] {
  return invalidFor(path, value, labelKeyErrors(value))
}

const percent = /^[0-9]+%$/

/** A count that is not negative, or a percentage. */
export function validateCountOrPercent(
  value: number | string | null | undefined,
  path: string,
): FieldError[] {
  if (typeof value !== 'string') return validateNonNegative(value, path)
  if (percent.test(value)) return []
  const rule =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
  return [invalid(path, value, rule)]
}

/** The number in a count or a percentage, zero when it is neither. */
export function countOrPercent(value: number | string | null | undefined): number {
  if (typeof value !== 'string') return value ?? 0
  if (percent.test(value)) return Number.parseInt(value, 10)
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0
}

/** For percentages of which more than all makes no sense. */
export function validateAtMostAll(value: number | string | null | undefined, path: string): FieldError[] {
  if (typeof value !== 'string' || !percent.test(value) || countOrPercent(value) <= 100) return []
  return [invalid(path, value, 'must not be greater than 100%')]
}

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"

/** `acme.io/foo`: who manages something, a signer, a controller. */
export function validateDomainPrefixedPath(value: string, path: string): FieldError[] {
  if (value === '') return [required(path)]
  const slash = value.indexOf('/')
  const host = value.slice(0, slash)
  const rest = value.slice(slash + 1)
  if (slash <= 0 || rest === '')
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const errors = invalidFor(path, host, dns1123SubdomainErrors(host))
  if (!new RegExp(`^${httpPath}$`).test(rest))
    errors.push(invalid(path, rest, `Invalid path (regex used for validation is '${httpPath}')`))
  return errors
}

/** A domain of three parts at least: the name of a webhook. */
export function validateFullyQualifiedName(value: string | null | undefined, path: string): FieldError[] {
  if (isBlank(value)) return [required(path)]
  const problems = dns1123SubdomainErrors(value)
  if (problems.length > 0) return [invalid(path, value, problems.join(','))]
  return value.split('.').length < 3
    ? [invalid(path, value, 'should be a domain with at least three segments separated by dots')]
    : []
}
