import { deepEqual, parseUtcTime } from '../../../base/index.js'
import type { Job, JobStatus } from '../../../kinds/batch/v1.js'
import { goJson } from '../../../schema/internal.js'
import type { View } from '../draft.js'
import { duplicate, type FieldError, invalid, invalidAs, required } from '../field-errors.js'
import { isAbsent, validateNonNegative } from '../value-rules.js'
import { countIndexes, overlapOf } from './index-list.js'

type JobView = View<Job>

function has(job: JobView, type: string, value = 'True'): boolean {
  return (
    job.status?.conditions?.some((condition) => condition.type === type && condition.status === value) ===
    true
  )
}

function isFinished(job: JobView): boolean {
  return has(job, 'Complete') || has(job, 'Failed')
}

/** `Invalid value: why`, without the value. */
function conditionsSay(why: string): FieldError {
  return { reason: 'FieldValueInvalid', field: 'status.conditions', message: `Invalid value: ${why}` }
}

/**
 * What is wrong with a new status. Most rules look only at what changes: a status that was let in once does not keep
 * others from being written.
 */
export function validateJobStatusUpdate(job: JobView, old: JobView): FieldError[] {
  return [
    ...validateCounts(job.status ?? {}),
    ...validateConditions(job, old),
    ...validateTimes(job, old),
    ...validateFinished(job, old),
    ...validateIndexes(job, old),
    ...validateSuccessCriteria(job),
    ...validateTransition(job, old),
  ]
}

function validateCounts(status: View<JobStatus>): FieldError[] {
  const fields = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const seen = new Set<string>()
  const uncounted = (uid: string, path: string): FieldError[] => {
    if (uid === '') return [invalid(path, uid, 'must not be empty')]
    if (seen.has(uid)) return [duplicate(path, uid)]
    seen.add(uid)
    return []
  }
  const path = 'status.uncountedTerminatedPods'
  return [
    ...fields.flatMap((field) => validateNonNegative(status[field], `status.${field}`)),
    ...succeeded.flatMap((uid, index) => uncounted(uid, `${path}.succeeded[${index}]`)),
    ...failed.flatMap((uid, index) => uncounted(uid, `${path}.failed[${index}]`)),
  ]
}

function validateConditions(job: JobView, old: JobView): FieldError[] {
  const changes = (type: string): boolean => has(job, type) !== has(old, type)
  const errors: FieldError[] = []
  const isComplete = has(job, 'Complete')
  if ((changes('Complete') || changes('Failed')) && isComplete && has(job, 'Failed'))
    errors.push(conditionsSay('cannot set Complete=True and Failed=true conditions'))
  if ((changes('Complete') || changes('FailureTarget')) && isComplete && has(job, 'FailureTarget'))
    errors.push(conditionsSay('cannot set Complete=True and FailureTarget=true conditions'))
  return errors
}

function validateTimes(job: JobView, old: JobView): FieldError[] {
  const { startTime, completionTime } = job.status ?? {}
  const errors: FieldError[] = []
  const path = 'status.completionTime'
  const isComplete = has(job, 'Complete')
  const isCompletionChanged = !deepEqual(completionTime, old.status?.completionTime)
  const isStartChanged = !deepEqual(startTime, old.status?.startTime)
  if (isComplete !== has(old, 'Complete') || isCompletionChanged) {
    if (!isAbsent(completionTime) && !isComplete)
      errors.push(
        invalid(path, completionTime, 'cannot set completionTime when there is no Complete=True condition'),
      )
    if (isAbsent(completionTime) && isComplete)
      errors.push(required(path, 'completionTime is required for Complete jobs'))
  }
  const start = parseUtcTime(startTime ?? '')
  const end = parseUtcTime(completionTime ?? '')
  if ((isStartChanged || isCompletionChanged) && start !== undefined && end !== undefined && end < start)
    errors.push(invalid(path, completionTime, 'must be equal to or after `startTime`'))
  return errors
}

function validateFinished(job: JobView, old: JobView): FieldError[] {
  const { status = {}, spec = {} } = job
  const { status: before = {} } = old
  const errors: FieldError[] = []
  const changes = (type: string): boolean => has(job, type) !== has(old, type)
  const changed = (field: keyof JobStatus): boolean => !deepEqual(status[field], before[field])
  if ((changes('Failed') || changed('failedIndexes')) && has(job, 'Failed') && !has(job, 'FailureTarget'))
    errors.push(conditionsSay('cannot set Failed=True condition without the FailureTarget=true condition'))
  if (
    (changes('Complete') || changes('SuccessCriteriaMet')) &&
    has(job, 'Complete') &&
    !has(job, 'SuccessCriteriaMet')
  )
    errors.push(
      conditionsSay('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'),
    )
  if (!isFinished(job)) return errors
  const isNew = !isFinished(old)
  const isEmptyAndSuspended = spec.suspend === true && spec.completions === 0
  if ((isNew || changed('active')) && (status.active ?? 0) > 0)
    errors.push(invalid('status.active', status.active, 'active>0 is invalid for finished job'))
  if ((isNew || changed('startTime')) && !isEmptyAndSuspended && isAbsent(status.startTime))
    errors.push(required('status.startTime', 'startTime is required for finished job'))
  const { failed = [], succeeded = [] } = status.uncountedTerminatedPods ?? {}
  if ((isNew || changed('uncountedTerminatedPods')) && failed.length + succeeded.length > 0)
    errors.push(
      invalidAs(
        'status.uncountedTerminatedPods',
        // As the server's own type has it.
        `{"Succeeded":${goJson(succeeded)},"Failed":${goJson(failed)}}`,
        'must be empty for finished job',
      ),
    )
  return errors
}

function validateIndexes(job: JobView, old: JobView): FieldError[] {
  const { status = {}, spec = {} } = job
  const { status: before = {} } = old
  const { completions, backoffLimitPerIndex } = spec
  const completed = status.completedIndexes ?? ''
  const failed = status.failedIndexes
  const isCompletedChanged = completed !== (before.completedIndexes ?? '')
  const isFailedChanged = failed !== before.failedIndexes
  const errors: FieldError[] = []
  const check = (field: string, list: string): void => {
    const counted = countIndexes(list, completions ?? 0)
    if (typeof counted !== 'number')
      errors.push(invalid(`status.${field}`, list, `error parsing ${field}: ${counted.problem}`))
  }
  if (isCompletedChanged && !isAbsent(completions)) check('completedIndexes', completed)
  if (isFailedChanged && !isAbsent(completions) && !isAbsent(backoffLimitPerIndex) && !isAbsent(failed))
    check('failedIndexes', failed)
  if (isCompletedChanged && completed !== '' && spec.completionMode !== 'Indexed')
    errors.push(
      invalid(
        'status.completedIndexes',
        completed,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      ),
    )
  if (isFailedChanged && isAbsent(backoffLimitPerIndex) && !isAbsent(failed))
    errors.push(
      invalid(
        'status.failedIndexes',
        failed,
        'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ),
    )
  if ((isFailedChanged || isCompletedChanged) && !isAbsent(completions) && !isAbsent(failed)) {
    const both = overlapOf(completed, failed, completions)
    if (both !== undefined)
      errors.push(
        invalid(
          'status.failedIndexes',
          failed,
          `failedIndexes and completedIndexes overlap at index: ${both}`,
        ),
      )
  }
  return [...errors, ...validateTerminating(job, old)]
}

function validateTerminating(job: JobView, old: JobView): FieldError[] {
  const { terminating, ready, active = 0 } = job.status ?? {}
  const { status: before = {} } = old
  const errors: FieldError[] = []
  if (
    (isFinished(job) !== isFinished(old) || terminating !== before.terminating) &&
    isFinished(job) &&
    (terminating ?? 0) > 0
  )
    errors.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'))
  if ((ready !== before.ready || active !== (before.active ?? 0)) && !isAbsent(ready) && ready > active)
    errors.push(invalid('status.ready', ready, 'cannot set more ready pods than active'))
  return errors
}

function validateSuccessCriteria(job: JobView): FieldError[] {
  const isMet = has(job, 'SuccessCriteriaMet')
  const errors: FieldError[] = []
  if (isMet && has(job, 'Failed'))
    errors.push(conditionsSay('cannot set SuccessCriteriaMet=True and Failed=true conditions'))
  if (isMet && has(job, 'FailureTarget'))
    errors.push(conditionsSay('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'))
  if (!isAbsent(job.spec?.successPolicy) && !isMet && has(job, 'Complete'))
    errors.push(
      conditionsSay('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'),
    )
  return errors
}

function validateTransition(job: JobView, old: JobView): FieldError[] {
  const { status = {}, spec = {} } = job
  const { status: before = {} } = old
  const errors = ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => has(old, type) && !has(job, type))
    .map((type) => conditionsSay(`cannot disable the terminal ${type}=True condition`))
  if ((status.failed ?? 0) < (before.failed ?? 0))
    errors.push(invalid('status.failed', status.failed ?? 0, 'cannot decrease the failed counter'))
  const isScalable = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism
  if (!isScalable && (status.succeeded ?? 0) < (before.succeeded ?? 0))
    errors.push(invalid('status.succeeded', status.succeeded ?? 0, 'cannot decrease the succeeded counter'))
  const { completionTime, startTime } = status
  if (
    !isAbsent(completionTime) &&
    !isAbsent(before.completionTime) &&
    completionTime !== before.completionTime
  )
    errors.push(invalid('status.completionTime', completionTime, 'field is immutable'))
  const isResuming = has(old, 'Suspended') && has(job, 'Suspended', 'False')
  if (!isResuming && !isAbsent(before.startTime) && startTime !== before.startTime && spec.suspend !== true)
    errors.push(
      invalid('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set'),
    )
  if (has(old, 'SuccessCriteriaMet') && !has(job, 'SuccessCriteriaMet'))
    errors.push(conditionsSay('cannot disable the SuccessCriteriaMet=True condition'))
  if (has(old, 'Complete') && !has(old, 'SuccessCriteriaMet') && has(job, 'SuccessCriteriaMet'))
    errors.push(
      conditionsSay('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'),
    )
  return errors
}
