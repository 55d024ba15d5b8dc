import { isPlainObject, stringifyJson } from '../../base/index.js'
import {
  FieldSelectorError,
  LabelSelectorError,
  labelKeyErrors,
  labelValueErrors,
  parseFieldSelector,
  parseLabelSelector,
} from '../../objects/index.js'
import { type FieldError, quoteText } from '../../schema/index.js'
import type { RequestInfo } from '../request/request-info.js'
import { type Fields, fieldsOf, listOf, textOf } from './fields.js'

const optionalFields = (value: unknown): Fields | undefined => (isPlainObject(value) ? value : undefined)

function invalidValue(field: string, value: string, why: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${value}: ${why}` }
}

/** What is wrong with the question of an access review. `hasSubject`: it must say about whom. */
export function accessReviewProblems(spec: Fields, hasSubject: boolean): FieldError[] {
  const errors: FieldError[] = []
  const resource = optionalFields(spec['resourceAttributes'])
  const other = optionalFields(spec['nonResourceAttributes'])
  if (resource !== undefined && other !== undefined)
    errors.push(
      invalidValue(
        'spec.nonResourceAttributes',
        showPath(other),
        'cannot be specified in combination with resourceAttributes',
      ),
    )
  if (resource === undefined && other === undefined)
    errors.push(
      invalidValue(
        'spec.resourceAttributes',
        'null',
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    )
  if (hasSubject && textOf(spec['user']) === '' && listOf(spec['groups']).length === 0)
    errors.push(invalidValue('spec.user', '""', 'at least one of user or group must be specified'))
  for (const name of ['fieldSelector', 'labelSelector'] as const) {
    const selector = optionalFields(resource?.[name])
    if (selector !== undefined)
      errors.push(...selectorProblems(selector, `spec.resourceAttributes.${name}`, name === 'labelSelector'))
  }
  return errors
}

/** The server shows its own data structure here. */
export function showPath(attributes: Fields): string {
  return stringifyJson({ Path: textOf(attributes['path']), Verb: textOf(attributes['verb']) })
}

function selectorProblems(selector: Fields, path: string, isOfLabels: boolean): readonly FieldError[] {
  const raw = textOf(selector['rawSelector'])
  const requirements = listOf(selector['requirements'])
  const errors: FieldError[] = []
  if (raw !== '' && requirements.length > 0)
    errors.push(
      invalidValue(
        `${path}.rawSelector`,
        quoteText(raw),
        'may not specified at the same time as requirements',
      ),
    )
  if (raw === '' && requirements.length === 0)
    errors.push({
      reason: 'FieldValueRequired',
      field: `${path}.requirements`,
      message: `Required value: when ${path} is specified, requirements or rawSelector is required`,
    })
  for (const [index, requirement] of requirements.entries())
    errors.push(...requirementProblems(fieldsOf(requirement), `${path}.requirements[${index}]`, isOfLabels))
  return errors
}

function requirementProblems(requirement: Fields, path: string, isOfLabels: boolean): readonly FieldError[] {
  const key = textOf(requirement['key'])
  const values = listOf(requirement['values'])
  const errors: FieldError[] = []
  const operator = textOf(requirement['operator'])
  if (!isOfLabels && key === '')
    errors.push({
      reason: 'FieldValueRequired',
      field: `${path}.key`,
      message: 'Required value: must be specified',
    })
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    errors.push({
      reason: 'FieldValueRequired',
      field: `${path}.values`,
      message: "Required value: must be specified when `operator` is 'In' or 'NotIn'",
    })
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    errors.push({
      reason: 'FieldValueForbidden',
      field: `${path}.values`,
      message: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    })
  if (isOfLabels) {
    errors.push(...labelKeyErrors(key).map((why) => invalidValue(`${path}.key`, quoteText(key), why)))
    for (const [index, value] of values.entries())
      errors.push(
        ...labelValueErrors(textOf(value)).map((why) =>
          invalidValue(`${path}.values[${index}]`, quoteText(textOf(value)), why),
        ),
      )
  }
  return errors
}

/** The question itself, in the words of authorization. */
export function questionOf(spec: Fields): RequestInfo {
  const resource = optionalFields(spec['resourceAttributes'])
  const attributes = resource ?? optionalFields(spec['nonResourceAttributes']) ?? {}
  const get = (name: string): string => (resource === undefined ? '' : textOf(attributes[name]))
  return {
    isResource: resource !== undefined,
    verb: textOf(attributes['verb']),
    path: resource === undefined ? textOf(attributes['path']) : '',
    group: get('group'),
    version: get('version') === '' ? '*' : get('version'),
    resource: get('resource'),
    subresource: get('subresource'),
    namespace: get('namespace'),
    name: get('name'),
  }
}

/** What of the question could not be taken into account: selectors that cannot be read. Empty if all was. */
export function evaluationProblem(spec: Fields): string {
  const resource = optionalFields(spec['resourceAttributes'])
  const problems: string[] = []
  for (const name of ['fieldSelector', 'labelSelector'] as const) {
    const selector = optionalFields(resource?.[name])
    if (selector === undefined) continue
    const { good, bad } = name === 'fieldSelector' ? readFields(selector) : readLabels(selector)
    if (bad > 0)
      problems.push(
        `spec.resourceAttributes.${name} ${good > 0 ? 'partially ignored' : 'ignored'} due to parse error`,
      )
  }
  return problems.join('; ')
}

interface Readable {
  readonly good: number
  readonly bad: number
}

function attempt(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof FieldSelectorError || error instanceof LabelSelectorError) return false
    throw error
  }
}

function tally(requirements: readonly unknown[], isGood: (requirement: Fields) => boolean): Readable {
  const good = requirements.filter((each) => isGood(fieldsOf(each))).length
  return { good, bad: requirements.length - good }
}

function readFields(selector: Fields): Readable {
  const raw = textOf(selector['rawSelector'])
  if (raw !== '') return attempt(() => parseFieldSelector(raw)) ? { good: 1, bad: 0 } : { good: 0, bad: 1 }
  return tally(listOf(selector['requirements']), (requirement) => {
    const operator = textOf(requirement['operator'])
    return (operator === 'In' || operator === 'NotIn') && listOf(requirement['values']).length === 1
  })
}

const labelOperators = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist'])

function readLabels(selector: Fields): Readable {
  const raw = textOf(selector['rawSelector'])
  if (raw !== '') return attempt(() => parseLabelSelector(raw)) ? { good: 1, bad: 0 } : { good: 0, bad: 1 }
  return tally(listOf(selector['requirements']), (requirement) =>
    labelOperators.has(textOf(requirement['operator'])),
  )
}
