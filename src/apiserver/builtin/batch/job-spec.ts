import type { JobSpec, SuccessPolicy } from '../../../kinds/batch/v1.js'
import { goJson } from '../../../schema/internal.js'
import type { View } from '../draft.js'
import { type FieldError, invalid, invalidAs, notSupported, required, tooLong } from '../field-errors.js'
import { validatePodTemplate } from '../pod/pod-template.js'
import { isAbsent, isBlank, validateDomainPrefixedPath, validateNonNegative } from '../value-rules.js'
import { validateFailurePolicy, validateReplacement, validateSuccessPolicy } from './job-policies.js'

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
] as const

/** What is wrong with a Job but for its selector, which the template of a CronJob does not have. */
export function validateJobSpecBody(spec: View<JobSpec>, path: string): FieldError[] {
  const { managedBy, podFailurePolicy, successPolicy } = spec
  const isIndexed = spec.completionMode === 'Indexed'
  return [
    ...counts.flatMap((field) => validateNonNegative(spec[field], `${path}.${field}`)),
    ...validateNonNegative(spec.maxFailedIndexes, `${path}.maxFailedIndexes`),
    ...(!isAbsent(spec.maxFailedIndexes) && isAbsent(spec.backoffLimitPerIndex)
      ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...(isAbsent(managedBy) ? [] : validateManager(managedBy, `${path}.managedBy`)),
    ...validateCompletionMode(spec, path),
    ...(isAbsent(podFailurePolicy) ? [] : validateFailurePolicy(spec, `${path}.podFailurePolicy`)),
    ...(isAbsent(successPolicy)
      ? []
      : isIndexed
        ? validateSuccessPolicy(spec, `${path}.successPolicy`)
        : [
            invalidAs(
              `${path}.successPolicy`,
              shownPolicy(successPolicy),
              'requires indexed completion mode',
            ),
          ]),
    ...validateReplacement(spec, `${path}.podReplacementPolicy`),
    ...validatePodTemplate(spec.template ?? {}, `${path}.template`),
    ...validateRestarts(spec, `${path}.template.spec.restartPolicy`),
  ]
}

function validateManager(managedBy: string, path: string): FieldError[] {
  return [
    ...validateDomainPrefixedPath(managedBy, path),
    ...(managedBy.length > 63 ? [tooLong(path, 63)] : []),
  ]
}

function validateRestarts({ template, podFailurePolicy }: View<JobSpec>, path: string): FieldError[] {
  const policy = template?.spec?.restartPolicy
  if (isBlank(policy) || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')]
  if (policy !== 'OnFailure' && policy !== 'Never')
    return [notSupported(path, policy, ['OnFailure', 'Never'])]
  return !isAbsent(podFailurePolicy) && policy !== 'Never'
    ? [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : []
}

function validateCompletionMode(spec: View<JobSpec>, path: string): FieldError[] {
  const { completionMode: mode, backoffLimitPerIndex, maxFailedIndexes } = spec
  const errors: FieldError[] = []
  if (!isAbsent(mode) && mode !== 'NonIndexed' && mode !== 'Indexed')
    errors.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']))
  if (mode === 'Indexed') errors.push(...validateIndexed(spec, path))
  if (isAbsent(mode) || mode === 'NonIndexed') {
    const needsIndexes = 'requires indexed completion mode'
    if (!isAbsent(backoffLimitPerIndex))
      errors.push(invalid(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, needsIndexes))
    if (!isAbsent(maxFailedIndexes))
      errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, needsIndexes))
  }
  return errors
}

/** As the server's own type has it. */
function shownPolicy({ rules }: View<SuccessPolicy>): string {
  const shown = (rules ?? []).map(
    ({ succeededIndexes = null, succeededCount = null }) =>
      `{"SucceededIndexes":${goJson(succeededIndexes)},"SucceededCount":${goJson(succeededCount)}}`,
  )
  return `{"Rules":[${shown.join(',')}]}`
}

const softLimit = 100_000
const hardLimit = 10_000

function validateIndexed(spec: View<JobSpec>, path: string): FieldError[] {
  const { completions, parallelism, maxFailedIndexes: maxFailed, backoffLimitPerIndex } = spec
  const errors: FieldError[] = []
  const atMost = (field: string, value: number | null | undefined, max: number, when: string): void => {
    if (!isAbsent(value) && value > max)
      errors.push(invalid(`${path}.${field}`, value, `must be less than or equal to ${max}${when}`))
  }
  if (isAbsent(completions)) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'))
  atMost('parallelism', parallelism, softLimit, ' when completion mode is Indexed')
  if (!isAbsent(completions) && !isAbsent(maxFailed) && maxFailed > completions)
    errors.push(invalid(`${path}.maxFailedIndexes`, maxFailed, 'must be less than or equal to completions'))
  atMost('maxFailedIndexes', maxFailed, softLimit, '')
  if ((completions ?? 0) <= softLimit || isAbsent(backoffLimitPerIndex)) return errors
  const when = ` when completions are above ${softLimit} and used with backoff limit per index`
  if (isAbsent(maxFailed))
    errors.push(
      required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${softLimit}`),
    )
  atMost('parallelism', parallelism, hardLimit, when)
  atMost('maxFailedIndexes', maxFailed, hardLimit, when)
  return errors
}
