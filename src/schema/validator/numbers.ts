import { goFloat, goNumber } from './go-text.js'
import { goInteger, goTruncate } from './go-value.js'
import { boundIssue, factorIssue, generalIssue, type Issue } from './issue.js'

/** The keywords for numbers of one schema. */
export interface NumberRules {
  /** Empty when the schema does not say exactly one of the two. */
  readonly type: 'integer' | 'number' | ''
  readonly format: string
  readonly minimum: number | undefined
  readonly exclusiveMinimum: boolean
  readonly maximum: number | undefined
  readonly exclusiveMaximum: boolean
  readonly multipleOf: number | undefined
}

/** A value to be checked, in the arithmetic that the server would use for it. */
interface Operand {
  readonly isInteger: boolean
  readonly exact: number | bigint
}

/** What is wrong with a number; its type has been checked elsewhere. Quirks of the server included, see the tests. */
export function numberIssues(
  rules: NumberRules,
  value: number | bigint,
  isInteger: boolean,
  path: string,
): readonly Issue[] {
  if (isInteger && isPlainlyFine(rules, value)) return noIssues
  const operand: Operand = { isInteger, exact: isInteger ? goInteger(value) : Number(value) }
  const issues: Issue[] = []
  if (!isInRange(rules, operand)) issues.push(rangeIssue(rules, 'Checked', path))
  if (rules.multipleOf !== undefined) {
    const fits = addConstraintIssue(issues, rules, { value: rules.multipleOf, name: 'MultipleOf' }, path)
    issues.push(...multipleIssues(rules.multipleOf, fits ? operand : asFloat(operand), path))
  }
  if (rules.minimum !== undefined) {
    const fits = addConstraintIssue(issues, rules, { value: rules.minimum, name: 'Minimum boundary' }, path)
    issues.push(
      ...minimumIssues(rules.minimum, rules.exclusiveMinimum, fits ? operand : asFloat(operand), path),
    )
  }
  if (rules.maximum !== undefined) {
    const fits = addConstraintIssue(issues, rules, { value: rules.maximum, name: 'Maximum boundary' }, path)
    issues.push(
      ...maximumIssues(rules.maximum, rules.exclusiveMaximum, fits ? operand : asFloat(operand), path),
    )
  }
  return issues
}

const noIssues: readonly Issue[] = []

/** Most numbers are small integers between small integers: nothing needs to be computed for them. */
function isPlainlyFine(rules: NumberRules, value: number | bigint): boolean {
  const { minimum, maximum, format } = rules
  return (
    typeof value === 'number' &&
    Math.abs(value) < 2 ** 31 &&
    rules.multipleOf === undefined &&
    (minimum === undefined ||
      (Number.isInteger(minimum) && Math.abs(minimum) < 2 ** 31 && value > minimum)) &&
    (maximum === undefined ||
      (Number.isInteger(maximum) && Math.abs(maximum) < 2 ** 31 && value < maximum)) &&
    (rules.type === 'integer' || format !== 'float')
  )
}

function asFloat(operand: Operand): Operand {
  return { isInteger: false, exact: Number(operand.exact) }
}

function isInRange(rules: NumberRules, operand: Operand): boolean {
  if (rules.type === 'integer') {
    if (!operand.isInteger) return false
    return rules.format !== 'int32' || (operand.exact >= -(2 ** 31) && operand.exact < 2 ** 31)
  }
  return rules.format !== 'float' || Number.isFinite(Math.fround(Number(operand.exact)))
}

/** The server checks the bounds of the schema against the type too, each time. False when a bound does not fit. */
function addConstraintIssue(
  issues: Issue[],
  rules: NumberRules,
  constraint: { readonly value: number; readonly name: string },
  path: string,
): boolean {
  const { value } = constraint
  const isInteger = Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 63
  if (isInRange(rules, { isInteger, exact: value })) return true
  issues.push(rangeIssue(rules, constraint.name, path))
  return false
}

function rangeIssue(rules: NumberRules, name: string, path: string): Issue {
  const format = rules.format === '' ? '(default format)' : `with format ${rules.format}`
  return generalIssue(`${name} value must be of type ${rules.type} ${format} in ${path}`)
}

function shownIn(operand: Operand, value: number | bigint): string {
  return operand.isInteger ? goNumber(value) : goFloat(Number(value))
}

function multipleIssues(factor: number, operand: Operand, path: string): Issue[] {
  const used = operand.isInteger ? goTruncate(factor) : factor
  const shownFactor = shownIn(operand, used)
  if (used <= 0) return [factorIssue(path, shownFactor)]
  if (isMultiple(operand, used)) return []
  return [boundIssue(path, shownIn(operand, operand.exact), `a multiple of ${shownFactor}`)]
}

function isMultiple(operand: Operand, factor: number | bigint): boolean {
  if (operand.isInteger) {
    if (typeof operand.exact === 'number' && typeof factor === 'number') return operand.exact % factor === 0
    return BigInt(operand.exact) % BigInt(factor) === 0n
  }
  const value = Number(operand.exact)
  const divisor = Number(factor)
  return isNearlyInteger(divisor < 1 ? (1 / divisor) * value : value / divisor)
}

function maximumIssues(maximum: number, exclusive: boolean, operand: Operand, path: string): Issue[] {
  const bound = operand.isInteger ? goTruncate(maximum) : maximum
  if (exclusive ? operand.exact < bound : operand.exact <= bound) return []
  const clause = exclusive ? 'less than' : 'less than or equal to'
  return [boundIssue(path, shownIn(operand, operand.exact), `${clause} ${shownIn(operand, bound)}`)]
}

function minimumIssues(minimum: number, exclusive: boolean, operand: Operand, path: string): Issue[] {
  const bound = operand.isInteger ? goTruncate(minimum) : minimum
  if (exclusive ? operand.exact > bound : operand.exact >= bound) return []
  const clause = exclusive ? 'greater than' : 'greater than or equal to'
  return [boundIssue(path, shownIn(operand, operand.exact), `${clause} ${shownIn(operand, bound)}`)]
}

/** What the server takes for an integer among floats: a positive one may be a billionth above. */
export function isNearlyInteger(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false
  const whole = Math.trunc(value)
  if (value === whole) return true
  if (value < 0 || whole === 0) return false
  return (value - whole) / (value + whole) < 1e-9
}
