import { type FormatClause, FormatError, renderFormat, wrongFormatType } from '../library/format-string.js'
import type { Patterns } from '../library/regex.js'
import { type CallExpr, childrenOf, type Expr, type ListExpr, type MapExpr } from '../syntax/ast.js'
import { CelSyntaxError, type Issue } from '../syntax/source.js'
import { convertValue } from '../value/convert.js'
import {
  type CelType,
  durationType,
  dynType,
  formatType,
  isSameType,
  type TypeSort,
  timestampType,
} from '../value/type.js'
import { isFailure } from '../value/value.js'
import type { CheckedProgram } from './checker.js'

/**
 * Refuses literals that can only fail: patterns that are none, durations and timestamps that are none, lists of
 * mixed types, formats that do not suit their arguments. Throws {@link CelSyntaxError}.
 */
export function checkLiterals(source: string, program: CheckedProgram, patterns: Patterns): void {
  const issues: Issue[] = []
  // Macros use nodes twice: without a memory, a chain of them would be walked exponentially often.
  const visited = new Set<Expr>()
  const visit = (expr: Expr, insideFormat: boolean): void => {
    if (visited.has(expr)) return
    visited.add(expr)
    if (expr.node === 'call') checkCall(expr, program, patterns, issues)
    if (expr.node === 'list' && !insideFormat) checkElements(expr, program, issues)
    if (expr.node === 'map' && !insideFormat) checkEntries(expr, program, issues)
    const inside = insideFormat || (expr.node === 'call' && expr.name === 'format')
    for (const child of childrenOf(expr)) visit(child, inside)
  }
  visit(program.expr, false)
  if (issues.length > 0) throw new CelSyntaxError(source, issues)
}

function checkCall(call: CallExpr, program: CheckedProgram, patterns: Patterns, issues: Issue[]): void {
  const [first] = call.args
  if (first?.node === 'literal') {
    const { value } = first
    const wrong =
      (call.name === 'duration' && isFailure(convertValue(value, durationType))) ||
      (call.name === 'timestamp' && isFailure(convertValue(value, timestampType))) ||
      (call.name === 'matches' && typeof value === 'string' && typeof patterns(value) === 'string')
    if (wrong) issues.push({ offset: first.offset, message: `invalid ${call.name} argument` })
  }
  if (call.name === 'format' && call.target?.node === 'literal' && first?.node === 'list') {
    const problem =
      typeof call.target.value === 'string'
        ? formatProblem(call, call.target.value, first, program)
        : undefined
    if (problem !== undefined) issues.push(problem)
  }
}

function mismatch(at: Expr, expected: CelType, actual: CelType): Issue {
  return {
    offset: at.offset,
    message: `expected type '${formatType(expected)}' but found '${formatType(actual)}'`,
  }
}

function typeOf(program: CheckedProgram, expr: Expr, optional: boolean): CelType {
  const type = program.types.get(expr) ?? dynType
  return optional ? (type.parameters[0] ?? dynType) : type
}

function checkElements(list: ListExpr, program: CheckedProgram, issues: Issue[]): void {
  let expected: CelType | undefined
  for (const [index, element] of list.elements.entries()) {
    const type = typeOf(program, element, list.optional.has(index))
    expected ??= type
    if (isSameType(expected, type, true)) continue
    issues.push(mismatch(element, expected, type))
    return
  }
}

function checkEntries(map: MapExpr, program: CheckedProgram, issues: Issue[]): void {
  const [first] = map.entries
  if (first === undefined) return
  const keyType = typeOf(program, first.key, false)
  const valueType = typeOf(program, first.value, first.optional)
  for (const entry of map.entries) {
    const key = typeOf(program, entry.key, false)
    const value = typeOf(program, entry.value, entry.optional)
    if (!isSameType(keyType, key, true)) issues.push(mismatch(entry.key, keyType, key))
    if (!isSameType(valueType, value, true)) issues.push(mismatch(entry.value, valueType, value))
  }
}

const whole: readonly TypeSort[] = ['int', 'uint']
const accepted: Readonly<Record<FormatClause['verb'], readonly TypeSort[]>> = {
  s: [...whole, 'list', 'map', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  d: whole,
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: [...whole, 'bool'],
  x: [...whole, 'string', 'bytes'],
  X: [...whole, 'string', 'bytes'],
  o: whole,
}

function formatProblem(
  call: CallExpr,
  format: string,
  { elements }: ListExpr,
  program: CheckedProgram,
): Issue | undefined {
  let used = 0
  let culprit: Expr = call
  try {
    renderFormat(format, elements.length, (clause, index) => {
      used++
      const wrong = firstWrong(elements[index], clause.verb, program)
      if (wrong === undefined) return ''
      culprit = wrong.expr
      throw wrongFormatType(clause.verb, wrong.type.name)
    })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { offset: culprit.offset, message: error.message }
  }
  if (elements.length <= used) return undefined
  const message = `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`
  return { offset: call.offset, message }
}

function firstWrong(
  expr: Expr | undefined,
  verb: FormatClause['verb'],
  program: CheckedProgram,
): { expr: Expr; type: CelType } | undefined {
  if (expr === undefined) return undefined
  const type = program.types.get(expr) ?? dynType
  if (type.sort !== 'dyn' && !accepted[verb].includes(type.sort)) return { expr, type }
  if (verb !== 's' || (expr.node !== 'list' && expr.node !== 'map')) return undefined
  for (const child of childrenOf(expr)) {
    const wrong = firstWrong(child, verb, program)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
