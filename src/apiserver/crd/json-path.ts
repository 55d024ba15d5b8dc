import { getOwn, isPlainObject } from '../../base/index.js'
import { goPrint } from '../../schema/internal.js'
import { type JsonPath, JsonPathError, type PathStep } from './json-path-parser.js'

/**
 * What a path finds in an object, in order; nothing for what is not there. Throws {@link JsonPathError} where the
 * server gives up: an index beyond the end, a filter on what is no list, things that cannot be compared.
 */
export function findAll(path: JsonPath, object: unknown): readonly unknown[] {
  return follow(path, [object])
}

function follow(path: JsonPath, values: readonly unknown[]): readonly unknown[] {
  return path.reduce((found, step) => apply(step, found), values)
}

function apply(step: PathStep, values: readonly unknown[]): readonly unknown[] {
  switch (step.step) {
    case 'field':
      return values.flatMap((value) => {
        const member = isPlainObject(value) ? getOwn(value, step.name) : undefined
        return member === undefined ? [] : [member]
      })
    case 'wildcard':
      return values.flatMap(childrenOf)
    case 'recursive':
      return descend(values)
    case 'union':
      return step.paths.flatMap((path) => follow(path, values))
    case 'value':
      return values.map(() => step.value)
    case 'slice':
      return slice(step, values)
    case 'filter':
      return values.flatMap((value) => filter(step, value))
  }
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isPlainObject(value) ? Object.values(value) : []
}

/** All values that have something in them, outermost first. With a stack of its own: objects may be deep. */
function descend(values: readonly unknown[]): readonly unknown[] {
  const found: unknown[] = []
  const waiting = [...values].reverse()
  for (let value = waiting.pop(); waiting.length > 0 || value !== undefined; value = waiting.pop()) {
    const children = childrenOf(value)
    if (children.length === 0) continue
    found.push(value)
    for (let index = children.length - 1; index >= 0; index--) waiting.push(children[index] ?? null)
  }
  return found
}

function slice(step: Extract<PathStep, { step: 'slice' }>, values: readonly unknown[]): readonly unknown[] {
  const found: unknown[] = []
  for (const value of values) {
    if (value === null || value === undefined) continue
    if (!Array.isArray(value)) throw new JsonPathError('not an array or slice')
    const { length } = value
    const given = step.start ?? 0
    const start = given < 0 ? given + length : given
    let end = step.end === 'length' ? length : step.end === 'after-start' ? given + 1 : step.end
    if (end < 0 || (end === 0 && step.end === 'after-start')) end += length
    if (end === start) return found
    if (start < 0 || start >= length || end < 0 || end > length || start > end)
      throw new JsonPathError(`array index out of bounds: index ${start}, length ${length}`)
    if (step.by !== undefined && step.by <= 0) throw new JsonPathError('step must be > 0')
    for (let index = start; index < end; index += step.by ?? 1) found.push(value[index])
  }
  return found
}

function filter(step: Extract<PathStep, { step: 'filter' }>, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new JsonPathError('not an array or slice and cannot be filtered')
  return value.filter((item) => {
    if (step.operator === 'exists') return existsIn(step.left, item)
    const left = onlyOne(follow(step.left, [item]))
    const right = left === undefined ? undefined : onlyOne(follow(step.right, [item]))
    return left !== undefined && right !== undefined && compare(left.value, step.operator, right.value)
  })
}

function existsIn(path: JsonPath, item: unknown): boolean {
  try {
    return follow(path, [item]).length > 0
  } catch (error) {
    if (error instanceof JsonPathError) return false
    throw error
  }
}

function onlyOne(values: readonly unknown[]): { readonly value: unknown } | undefined {
  if (values.length > 1) throw new JsonPathError('can only compare one element at a time')
  return values.length === 0 ? undefined : { value: values[0] }
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  const kind = kindOf(left)
  if (kind !== kindOf(right)) throw new JsonPathError('incompatible types for comparison')
  // Of one kind, and of one that JavaScript orders as Go does: numbers and texts.
  const [a, b] = [left as string | number | bigint, right as string | number | bigint]
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`)
  }
}

function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'float'
    case 'bigint':
      return 'integer'
    case 'string':
    case 'boolean':
      return typeof value
    default:
      throw new JsonPathError('invalid type for comparison')
  }
}

/** A value as text: Go's notation for scalars, JSON for what has parts. */
export function textOf(value: unknown, toJson: (value: unknown) => string): string {
  if (value === null) return '<no value>'
  return typeof value === 'object' ? toJson(value) : goPrint(value)
}
