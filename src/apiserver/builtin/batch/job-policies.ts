import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from '../../../kinds/batch/v1.js'
import type { View } from '../draft.js'
import { duplicate, type FieldError, goQuote, invalid, required, tooLong, tooMany } from '../field-errors.js'
import {
  isAbsent,
  isBlank,
  validateNonNegative,
  validateQualifiedName,
  validateWord,
} from '../value-rules.js'
import { countIndexes } from './index-list.js'

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const operators = ['In', 'NotIn']
const statuses = ['False', 'True', 'Unknown']

/** `Invalid value: why`, without the value. */
function wrong(field: string, why: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${why}` }
}

function validWords(words: readonly string[]): string {
  return `valid values: [${words.map(goQuote).join(' ')}]`
}

/** What is wrong with the rules about failed pods. */
export function validateFailurePolicy(spec: View<JobSpec>, path: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? []
  const pod = spec.template?.spec
  const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map(({ name }) => name)
  return [
    ...(rules.length > 20 ? [tooMany(`${path}.rules`, rules.length, 20)] : []),
    ...rules.flatMap((rule, index) => validateFailureRule(spec, rule, `${path}.rules[${index}]`, containers)),
  ]
}

type Names = readonly (string | undefined)[]

function validateFailureRule(
  spec: View<JobSpec>,
  rule: View<PodFailurePolicyRule>,
  path: string,
  containers: Names,
): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule
  const hasExitCodes = !isAbsent(onExitCodes)
  return [
    ...(action === 'FailIndex'
      ? isAbsent(spec.backoffLimitPerIndex)
        ? [invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set')]
        : []
      : validateWord(action, actions, `${path}.action`, validWords(actions))),
    ...(hasExitCodes ? validateExitCodes(onExitCodes, `${path}.onExitCodes`, containers) : []),
    ...validateConditions(onPodConditions, `${path}.onPodConditions`),
    ...(hasExitCodes && onPodConditions.length > 0
      ? [wrong(path, 'specifying both OnExitCodes and OnPodConditions is not supported')]
      : []),
    ...(!hasExitCodes && onPodConditions.length === 0
      ? [wrong(path, 'specifying one of OnExitCodes and OnPodConditions is required')]
      : []),
  ]
}

function validateConditions(
  patterns: readonly View<PodFailurePolicyOnPodConditionsPattern>[],
  path: string,
): FieldError[] {
  return [
    ...(patterns.length > 20 ? [tooMany(path, patterns.length, 20)] : []),
    ...patterns.flatMap(({ type, status }, index) => [
      ...validateQualifiedName(type ?? '', `${path}[${index}].type`),
      ...validateWord(status, statuses, `${path}[${index}].status`, validWords(statuses)),
    ]),
  ]
}

function validateExitCodes(
  codes: View<PodFailurePolicyOnExitCodesRequirement>,
  path: string,
  containers: Names,
): FieldError[] {
  const { operator, containerName } = codes
  const values = codes.values ?? []
  const valuesPath = `${path}.values`
  const errors = validateWord(operator, operators, `${path}.operator`, validWords(operators))
  if (!isAbsent(containerName) && !containers.includes(containerName))
    errors.push(
      invalid(
        `${path}.containerName`,
        containerName,
        'must be one of the container or initContainer names in the pod template',
      ),
    )
  if (values.length === 0) errors.push(invalid(valuesPath, null, 'at least one value is required'))
  if (values.length > 255) errors.push(tooMany(valuesPath, values.length, 255))
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      errors.push(invalid(`${valuesPath}[${index}]`, value, 'must not be 0 for the In operator'))
    if (values.indexOf(value) < index) errors.push(duplicate(`${valuesPath}[${index}]`, value))
  }
  if (values.some((value, index) => value < (values[index - 1] ?? value)))
    errors.push(invalid(valuesPath, values, 'must be ordered'))
  return errors
}

/** What is wrong with the rules about when a Job has succeeded before all its pods have. */
export function validateSuccessPolicy(spec: View<JobSpec>, path: string): FieldError[] {
  const rules = spec.successPolicy?.rules ?? []
  return [
    ...(rules.length === 0
      ? [
          required(
            `${path}.rules`,
            'at least one rules must be specified when the successPolicy is specified',
          ),
        ]
      : []),
    ...(rules.length > 20 ? [tooMany(`${path}.rules`, rules.length, 20)] : []),
    ...rules.flatMap((rule, index) =>
      validateSuccessRule(rule, spec.completions ?? 0, `${path}.rules[${index}]`),
    ),
  ]
}

const longestIndexList = 64 * 1024

function validateSuccessRule(rule: View<SuccessPolicyRule>, completions: number, path: string): FieldError[] {
  const { succeededCount: count, succeededIndexes: indexes } = rule
  if (isAbsent(count) && isAbsent(indexes))
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')]
  const errors: FieldError[] = []
  let total = 0
  if (!isAbsent(indexes)) {
    const indexesPath = `${path}.succeededIndexes`
    if (indexes.length > longestIndexList) errors.push(tooLong(indexesPath, longestIndexList))
    const counted = countIndexes(indexes, completions)
    if (typeof counted === 'number') total = counted
    else errors.push(invalid(indexesPath, indexes, `error parsing succeededIndexes: ${counted.problem}`))
  }
  if (isAbsent(count)) return errors
  const countPath = `${path}.succeededCount`
  const atMost = (max: number, what: string): FieldError[] =>
    count > max
      ? [invalid(countPath, count, `must be less than or equal to ${max} (the number of ${what})`)]
      : []
  return [
    ...errors,
    ...validateNonNegative(count, countPath),
    ...atMost(completions, 'specified completions'),
    ...(isAbsent(indexes) ? [] : atMost(total, 'indexes in the specified succeededIndexes field')),
  ]
}

/** When pods are replaced; with rules about failures, only those that have failed are. */
export function validateReplacement(spec: View<JobSpec>, path: string): FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec
  if (isBlank(policy) && policy !== '') return []
  return validateWord(
    policy,
    isAbsent(podFailurePolicy) ? ['Failed', 'TerminatingOrFailed'] : ['Failed'],
    path,
  )
}
