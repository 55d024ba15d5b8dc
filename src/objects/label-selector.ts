import { assertNever, KubewrightError } from '../base/index.js'
import { parseLabelSelectorText } from './label-selector-parser.js'
import { labelKeyErrors, labelValueErrors } from './names.js'

/** A selector of labels as objects hold it: `spec.selector` of a Deployment. All of it must match. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelSelectorExpression[]
}

/** One term of a {@link LabelSelector}. */
export interface LabelSelectorExpression {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  /** For `In` and `NotIn` at least one, otherwise none. */
  readonly values?: readonly string[]
}

/** One term of a selector in its written form: `a=b`, `c!=d`, `e in (x,y)`, `!f`, `g>5`. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'
  readonly values: readonly string[]
}

/** A selector of labels in any of its forms. Empty, it selects everything. */
export type LabelSelectorInput = string | LabelSelector | readonly LabelRequirement[]

/** The selector cannot be read, or the API server would refuse it. */
export class LabelSelectorError extends KubewrightError {
  constructor(message: string) {
    super(message, { code: 'KW_LABEL_SELECTOR' })
  }
}

/**
 * The terms of a selector, checked as the API server checks them and ordered by key. Text is read as `kubectl -l` reads
 * it. Throws {@link LabelSelectorError}.
 */
export function parseLabelSelector(selector: LabelSelectorInput): LabelRequirement[] {
  const requirements = readRequirements(selector)
  for (const requirement of requirements) checkRequirement(requirement)
  return requirements.toSorted((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
}

function readRequirements(selector: LabelSelectorInput): readonly LabelRequirement[] {
  if (typeof selector === 'string') {
    return parseLabelSelectorText(selector, (why) => {
      throw new LabelSelectorError(
        `The label selector ${JSON.stringify(selector)} cannot be read: ${why}. Write it like "a=b,c!=d,e in (x,y),!f".`,
      )
    })
  }
  return isRequirementList(selector) ? selector : requirementsOf(selector)
}

function isRequirementList(selector: LabelSelectorInput): selector is readonly LabelRequirement[] {
  return Array.isArray(selector)
}

const selectorFields = ['matchLabels', 'matchExpressions']
const operators: ReadonlyMap<string, LabelRequirement['operator']> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
])

function requirementsOf(selector: LabelSelector): LabelRequirement[] {
  for (const field of Object.keys(selector)) {
    // Taken for an empty selector, a misspelt one would select everything.
    if (!selectorFields.includes(field))
      throw new LabelSelectorError(
        `A label selector has no field ${JSON.stringify(field)}: put labels into matchLabels or matchExpressions.`,
      )
  }
  const { matchLabels = {}, matchExpressions = [] } = selector
  return [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      const written = operators.get(operator)
      if (written === undefined)
        throw new LabelSelectorError(
          `The label selector for ${JSON.stringify(key)} has the operator ${JSON.stringify(operator)}: use In, NotIn, Exists or DoesNotExist.`,
        )
      return { key, operator: written, values }
    }),
  ]
}

const int64 = /^[+-]?\d{1,30}$/

function toInt64(text: string): bigint | undefined {
  if (!int64.test(text)) return undefined
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function checkRequirement({ key, operator, values }: LabelRequirement): void {
  const fail = (why: string): never => {
    throw new LabelSelectorError(`The label selector for ${JSON.stringify(key)} is not valid: ${why}.`)
  }
  for (const error of labelKeyErrors(key)) fail(error)
  for (const value of values) {
    for (const error of labelValueErrors(value)) fail(`${JSON.stringify(value)}: ${error}`)
  }
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length === 0) fail('in and notin need at least one value')
      return
    case '=':
    case '!=':
      if (values.length !== 1) fail('= and != need exactly one value')
      return
    case 'exists':
    case '!':
      if (values.length > 0) fail('to exist or not takes no value')
      return
    case '>':
    case '<':
      if (values.length !== 1 || toInt64(values[0] ?? '') === undefined)
        fail('> and < need exactly one value, an integer of 64 bits')
      return
    default:
      assertNever(operator)
  }
}

/** True when the labels satisfy every term. A missing label satisfies `!=`, `notin` and `!`, as on the server. */
export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return requirements.every((requirement) => matches(requirement, labels ?? {}))
}

function matches(
  { key, operator, values }: LabelRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case '=':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case '>':
    case '<': {
      const actual = toInt64(value ?? '')
      const bound = toInt64(values[0] ?? '')
      if (actual === undefined || bound === undefined) return false
      return operator === '>' ? actual > bound : actual < bound
    }
    default:
      return assertNever(operator)
  }
}

/** The selector as text for `?labelSelector=` or `kubectl -l`. Throws {@link LabelSelectorError}. */
export function formatLabelSelector(selector: LabelSelectorInput): string {
  return parseLabelSelector(selector).map(formatRequirement).join(',')
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key
    case '!':
      return `!${key}`
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.toSorted().join(',')})`
    case '=':
    case '!=':
    case '>':
    case '<':
      return `${key}${operator}${values.join(',')}`
    default:
      return assertNever(operator)
  }
}
