import type { CronJob, CronJobSpec, JobTemplateSpec } from '../../../kinds/batch/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, invalid, invalidAs, invalidFor, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { nameWarnings } from '../name-warnings.js'
import { defaultPodTemplate } from '../pod/pod-template.js'
import { shownSelector } from '../shown-selector.js'
import { isAbsent, isBlank, validateNonNegative, validateWord } from '../value-rules.js'
import { scheduleProblem } from './cron-schedule.js'
import { defaultFailureConditions, jobSpecWarnings } from './job.js'
import { validateJobSpecBody } from './job-spec.js'
import { timeZoneFieldProblems } from './time-zone.js'

/** Eleven characters are left for the time that is appended to the names of the Jobs. */
const longestName = 52

const timeZoneWarning =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'

export const cronJobRules: KindRules = {
  hasGeneration: true,
  defaults(draft) {
    const { spec = {} } = draftOf<CronJob>(draft)
    if (isBlank(spec.concurrencyPolicy)) spec.concurrencyPolicy = 'Allow'
    spec.suspend ??= false
    spec.successfulJobsHistoryLimit ??= 3
    spec.failedJobsHistoryLimit ??= 1
    const job = spec.jobTemplate?.spec
    if (job === undefined) return
    defaultFailureConditions(job)
    if (job.template !== undefined) defaultPodTemplate(job.template)
  },
  validateCreate(object) {
    const name = object.metadata.name ?? ''
    const errors = validateSpec(viewOf<CronJob>(object).spec ?? {}, undefined)
    if (name.length > longestName)
      errors.push(invalid('metadata.name', name, `must be no more than ${longestName} characters`))
    return errors
  },
  warnings: (object, old) => {
    const { schedule, jobTemplate } = viewOf<CronJob>(object).spec ?? {}
    return [
      ...(old === undefined ? nameWarnings(object) : []),
      ...jobSpecWarnings(object, old, jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec'),
      ...(old !== undefined && schedule?.includes('TZ') === true ? [timeZoneWarning] : []),
    ]
  },
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<CronJob>(object)
    return validateSpec(spec, viewOf<CronJob>(old).spec ?? {})
  },
}

function validateSpec(spec: View<CronJobSpec>, old: View<CronJobSpec> | undefined): FieldError[] {
  const { timeZone } = spec
  const isNewZone = old === undefined || old.timeZone !== timeZone
  return [
    ...validateSchedule(spec, old?.schedule?.includes('TZ') === true),
    ...validateNonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...(isNewZone && !isAbsent(timeZone)
      ? invalidFor('spec.timeZone', timeZone, timeZoneFieldProblems(timeZone))
      : []),
    ...validateWord(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy', ''),
    ...validateJobTemplate(spec.jobTemplate ?? {}, 'spec.jobTemplate.spec'),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...validateNonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ]
}

function validateSchedule({ schedule, timeZone }: View<CronJobSpec>, allowsZone: boolean): FieldError[] {
  const path = 'spec.schedule'
  if (isBlank(schedule)) return [required(path)]
  const problem = scheduleProblem(schedule)
  const errors = problem === undefined ? [] : [invalid(path, schedule, problem)]
  if (!schedule.includes('TZ')) return errors
  if (!allowsZone)
    errors.push(invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'))
  else if (!isAbsent(timeZone))
    errors.push(invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'))
  return errors
}

function validateJobTemplate({ spec = {} }: View<JobTemplateSpec>, path: string): FieldError[] {
  const { selector, manualSelector } = spec
  return [
    ...validateJobSpecBody(spec, path),
    ...(isAbsent(selector)
      ? []
      : [invalidAs(`${path}.selector`, shownSelector(selector), '`selector` will be auto-generated')]),
    ...(manualSelector === true ? [notSupported(`${path}.manualSelector`, true, ['nil', 'false'])] : []),
  ]
}
