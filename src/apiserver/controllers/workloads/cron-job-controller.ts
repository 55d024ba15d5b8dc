import type { DeepReadonly } from '../../../base/index.js'
import type { CronJob, Job } from '../../../kinds/batch/v1.js'
import { formatTime } from '../../../objects/index.js'
import type { ApiObject } from '../../api-object.js'
import { ApiFailure } from '../../failure.js'
import { cronTimes } from './cron-times.js'
import {
  controllerKeys,
  controllerReference,
  createRunningController,
  type RunningController,
  readAs,
  timeMs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredCronJob = DeepReadonly<CronJob>
type StoredJob = DeepReadonly<Job>

const component = 'cronjob-controller'
// A little after the time: who looks on the second finds it not yet there.
const lateMs = 100

/** Makes Jobs when their time has come, and takes away those that nobody looks at any more. */
export function createCronJobController(tools: WorkloadTools): RunningController {
  const { system, events, nature, index } = tools

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const cronJob = readAs<CronJob>(system.get('cronjobs.batch', namespace, name))
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return undefined
    const jobs = jobsOf(cronJob)
    await tellEnds(cronJob, jobs)
    await removeOld(cronJob, jobs)
    const active = jobs.filter((job) => endOf(job) === undefined)
    const lastSuccess = jobs
      .filter((job) => endOf(job) === 'Complete')
      .map(({ status }) => status?.completionTime ?? '')
      .concat(cronJob.status?.lastSuccessfulTime ?? '')
      .toSorted()
      .at(-1)
    const made = cronJob.spec?.suspend === true ? undefined : await startDue(cronJob, active)
    const lastScheduleTime = made?.at ?? cronJob.status?.lastScheduleTime
    await writeStatus(tools, 'cronjobs.batch', cronJob, {
      ...activeField([...(made?.isReplacing === true ? [] : active), ...(made?.jobs ?? [])]),
      ...(lastScheduleTime !== undefined && { lastScheduleTime }),
      ...(lastSuccess !== undefined && lastSuccess !== '' && { lastSuccessfulTime: lastSuccess }),
    })
    if (cronJob.spec?.suspend === true) return undefined
    const nowMs = nature.clock.now()
    const next = timesOf(cronJob).next(nowMs)
    return next === undefined ? undefined : next - nowMs + lateMs
  }

  async function tellEnds(cronJob: StoredCronJob, jobs: readonly StoredJob[]): Promise<void> {
    const known = new Set(cronJob.status?.active?.map(({ uid }) => uid))
    for (const job of jobs) {
      const end = endOf(job)
      if (end === undefined || !known.has(job.metadata.uid)) continue
      const message = `Saw completed job: ${job.metadata.name}, condition: ${end}`
      await tell(cronJob, 'Normal', 'SawCompletedJob', message)
    }
  }

  interface Start {
    readonly at: string
    readonly jobs: readonly StoredJob[]
    readonly isReplacing: boolean
  }

  /** Makes the Job of the last time that was missed, if there is one. Those before it are forgotten. */
  async function startDue(cronJob: StoredCronJob, active: readonly StoredJob[]): Promise<Start | undefined> {
    const { startingDeadlineSeconds, concurrencyPolicy } = cronJob.spec ?? {}
    const nowMs = nature.clock.now()
    const sinceMs = timeMs(cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp)
    const dueMs = timesOf(cronJob).latest(sinceMs, nowMs)
    if (dueMs === undefined) return undefined
    if (startingDeadlineSeconds !== undefined && dueMs + startingDeadlineSeconds * 1000 < nowMs) {
      await tell(
        cronJob,
        'Warning',
        'MissSchedule',
        `Missed scheduled time to start a job: ${formatTime(dueMs)}`,
      )
      return undefined
    }
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      const why = 'Not starting job because prior execution is running and concurrency policy is Forbid'
      await tell(cronJob, 'Normal', 'JobAlreadyActive', why)
      return undefined
    }
    const isReplacing = concurrencyPolicy === 'Replace'
    if (isReplacing) for (const job of active) await remove(cronJob, job)
    const job = await create(cronJob, dueMs)
    return { at: formatTime(dueMs), jobs: job === undefined ? [] : [job], isReplacing }
  }

  async function create(cronJob: StoredCronJob, dueMs: number): Promise<StoredJob | undefined> {
    const { name, namespace } = cronJob.metadata
    const { metadata, spec } = cronJob.spec?.jobTemplate ?? {}
    const draft: ApiObject = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        // So that one time makes one Job, whoever tries.
        name: `${name}-${dueMs / 60_000}`.replace(/\.\d+$/, ''),
        namespace,
        labels: { ...metadata?.labels },
        annotations: {
          ...metadata?.annotations,
          'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(dueMs),
        },
        // The reference was made for this very form.
        ownerReferences: [controllerReference(cronJob)] as NonNullable<
          ApiObject['metadata']['ownerReferences']
        >,
      },
      spec: structuredClone(spec ?? {}),
    }
    try {
      const job = readAs<Job>(await system.create('jobs.batch', draft))
      await tell(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`)
      return job
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status.reason !== 'AlreadyExists') throw error
      return undefined
    }
  }

  async function removeOld(cronJob: StoredCronJob, jobs: readonly StoredJob[]): Promise<void> {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cronJob.spec ?? {}
    for (const [end, limit] of [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const) {
      const ended = jobs
        .filter((job) => endOf(job) === end)
        .toSorted((left, right) => timeMs(left.status?.startTime) - timeMs(right.status?.startTime))
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) await remove(cronJob, job)
    }
  }

  async function remove(cronJob: StoredCronJob, { metadata }: StoredJob): Promise<void> {
    await system.delete('jobs.batch', metadata.namespace, metadata.name, {
      uid: metadata.uid,
      propagationPolicy: 'Background',
    })
    await tell(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${metadata.name}`)
  }

  function jobsOf({ metadata }: StoredCronJob): StoredJob[] {
    return index.controlledBy(metadata.uid, 'jobs.batch').map((object) => readAs<Job>(object))
  }

  const tell = (
    cronJob: StoredCronJob,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): Promise<void> => events.write(cronJob, { component, type, reason, message })

  return createRunningController(tools, {
    name: 'The CronJob controller',
    resource: 'cronjobs.batch',
    related: (event) => (event.resource === 'jobs.batch' ? controllerKeys(event, 'CronJob') : []),
    sync,
  })
}

function timesOf({ spec }: StoredCronJob): ReturnType<typeof cronTimes> {
  return cronTimes(spec?.schedule ?? '', spec?.timeZone ?? 'UTC')
}

function endOf({ status }: StoredJob): 'Complete' | 'Failed' | undefined {
  const ended = status?.conditions?.find(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  )
  return ended === undefined ? undefined : ended.type === 'Complete' ? 'Complete' : 'Failed'
}

function activeField(jobs: readonly StoredJob[]): { readonly active?: readonly object[] } {
  if (jobs.length === 0) return {}
  return {
    active: jobs.map(({ metadata: { name, namespace, uid, resourceVersion } }) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      name,
      namespace,
      resourceVersion,
      uid,
    })),
  }
}
