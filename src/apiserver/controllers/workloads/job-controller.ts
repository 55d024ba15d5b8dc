import type { DeepReadonly } from '../../../base/index.js'
import type { Job } from '../../../kinds/batch/v1.js'
import type { Pod } from '../../../kinds/core/v1.js'
import { isActive, isReady, isTerminating, podOf } from './pod-template.js'
import {
  controllerKeys,
  countField,
  createRunningController,
  type RunningController,
  readAs,
  soonestMs,
  timeMs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredJob = DeepReadonly<Job>
type StoredPod = DeepReadonly<Pod>
type JobCondition = NonNullable<NonNullable<StoredJob['status']>['conditions']>[number]

const component = 'job-controller'
const ownName = 'kubernetes.io/job-controller'
const indexAnnotation = 'batch.kubernetes.io/job-completion-index'
// After a failure, as the real controller: longer with each until one succeeds.
const firstBackoffMs = 10_000
const longestBackoffMs = 600_000

/** Runs pods until enough of them have ended well. */
export function createJobController(tools: WorkloadTools): RunningController {
  const { system, index, events, nature } = tools

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const job = readAs<Job>(system.get('jobs.batch', namespace, name))
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return undefined
    if (isFinished(job)) return expire(job)
    // Another controller has been asked to run it.
    if ((job.spec?.managedBy ?? ownName) !== ownName) return undefined
    const pods = index.controlledBy(job.metadata.uid, 'pods').map((object) => readAs<Pod>(object))
    const succeeded = pods.filter(({ status }) => status?.phase === 'Succeeded')
    const failed = pods.filter(({ status }) => status?.phase === 'Failed')
    const active = pods.filter(isActive)
    const verdict = verdictOf(job, succeeded, failed)
    const isSuspended = job.spec?.suspend === true
    const startTime = isSuspended ? undefined : (job.status?.startTime ?? nature.timestamp())
    const backoffMs = untilRetryMs(succeeded, failed)
    if (verdict !== undefined || isSuspended) for (const pod of active) await remove(pod)
    else if (backoffMs <= 0) await createMissing(job, pods, { succeeded, active })
    await tell(job, { verdict, startTime })
    if (verdict !== undefined) return undefined
    return soonestMs([untilDeadlineMs(job, startTime), isSuspended ? undefined : backoffMs])
  }

  /** How long a job whose last pods have failed must wait for another one. */
  function untilRetryMs(succeeded: readonly StoredPod[], failed: readonly StoredPod[]): number {
    const lastSuccessMs = Math.max(0, ...succeeded.map(finishedMs))
    const since = failed.map(finishedMs).filter((atMs) => atMs > lastSuccessMs)
    if (since.length === 0) return 0
    const backoffMs = Math.min(firstBackoffMs * 2 ** (since.length - 1), longestBackoffMs)
    return Math.max(...since) + backoffMs - nature.clock.now()
  }

  async function createMissing(
    job: StoredJob,
    pods: readonly StoredPod[],
    { succeeded, active }: { succeeded: readonly StoredPod[]; active: readonly StoredPod[] },
  ): Promise<void> {
    const parallelism = job.spec?.parallelism ?? 1
    const { completions } = job.spec ?? {}
    const wanted =
      completions === undefined
        ? succeeded.length > 0
          ? active.length
          : parallelism
        : Math.min(parallelism, completions - succeeded.length)
    for (const pod of active.slice(Math.max(0, wanted))) await remove(pod)
    const taken = new Set([...succeeded, ...active].map(indexOf))
    let next = 0
    for (let missing = wanted - active.length; missing > 0; missing--) {
      while (taken.has(String(next))) next++
      await createPod(job, next)
      taken.add(String(next))
    }
  }

  async function createPod(job: StoredJob, completionIndex: number): Promise<void> {
    const { name } = job.metadata
    const isIndexed = job.spec?.completionMode === 'Indexed'
    const pod = podOf(job.spec?.template ?? {}, job, {
      generateName: isIndexed ? `${name}-${completionIndex}-` : `${name}-`,
      ...(isIndexed && { labels: { [indexAnnotation]: String(completionIndex) } }),
    })
    if (isIndexed) {
      pod.metadata.annotations = { ...pod.metadata.annotations, [indexAnnotation]: String(completionIndex) }
      const spec = job.spec?.template.spec
      // By this name the pods of a job find each other.
      pod['spec'] = { ...spec, hostname: spec?.hostname ?? `${name}-${completionIndex}` }
    }
    const created = await system.create('pods', pod)
    const message = `Created pod: ${created.metadata.name}`
    await events.write(job, { component, type: 'Normal', reason: 'SuccessfulCreate', message })
  }

  async function remove({ metadata }: StoredPod): Promise<void> {
    await system.delete('pods', metadata.namespace, metadata.name, { uid: metadata.uid })
  }

  function verdictOf(
    job: StoredJob,
    succeeded: readonly StoredPod[],
    failed: readonly StoredPod[],
  ): Verdict | undefined {
    const { completions, backoffLimit = 6 } = job.spec ?? {}
    const startTime = job.status?.startTime
    if (failed.length > backoffLimit)
      return {
        isSuccess: false,
        reason: 'BackoffLimitExceeded',
        message: 'Job has reached the specified backoff limit',
      }
    const leftMs = untilDeadlineMs(job, startTime)
    if (leftMs !== undefined && leftMs <= 0)
      return {
        isSuccess: false,
        reason: 'DeadlineExceeded',
        message: 'Job was active longer than specified deadline',
      }
    const isDone = completions === undefined ? succeeded.length > 0 : succeeded.length >= completions
    return isDone
      ? {
          isSuccess: true,
          reason: 'CompletionsReached',
          message: 'Reached expected number of succeeded pods',
        }
      : undefined
  }

  async function tell(
    job: StoredJob,
    { verdict, startTime }: { verdict: Verdict | undefined; startTime: string | undefined },
  ): Promise<void> {
    const now = nature.timestamp()
    const pods = index.controlledBy(job.metadata.uid, 'pods').map((object) => readAs<Pod>(object))
    const active = verdict === undefined ? pods.filter(isActive) : []
    const succeeded = pods.filter(({ status }) => status?.phase === 'Succeeded')
    await writeStatus(tools, 'jobs.batch', job, {
      ...(conditionsOf(job, verdict, now).length > 0 && { conditions: conditionsOf(job, verdict, now) }),
      ...(startTime !== undefined && { startTime }),
      ...(verdict?.isSuccess === true && { completionTime: now }),
      ...countField('active', active.length),
      ...countField('succeeded', succeeded.length),
      ...countField('failed', pods.filter(({ status }) => status?.phase === 'Failed').length),
      ...(job.spec?.completionMode === 'Indexed' &&
        succeeded.length > 0 && { completedIndexes: ranges(succeeded.map((pod) => Number(indexOf(pod)))) }),
      ready: active.filter((pod) => isReady(pod)).length,
      terminating: pods.filter(isTerminating).length,
      uncountedTerminatedPods: {},
    })
    if (verdict === undefined) return
    await events.write(job, {
      component,
      type: verdict.isSuccess ? 'Normal' : 'Warning',
      reason: verdict.isSuccess ? 'Completed' : verdict.reason,
      message: verdict.isSuccess ? 'Job completed' : verdict.message,
    })
  }

  function untilDeadlineMs(job: StoredJob, startTime: string | undefined): number | undefined {
    const seconds = job.spec?.activeDeadlineSeconds
    if (seconds === undefined || startTime === undefined) return undefined
    return timeMs(startTime) + seconds * 1000 - nature.clock.now()
  }

  /** A finished job that has a time to live goes when that is over. */
  async function expire(job: StoredJob): Promise<number | undefined> {
    const seconds = job.spec?.ttlSecondsAfterFinished
    const finished = job.status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed')
    if (seconds === undefined || finished === undefined) return undefined
    const leftMs = timeMs(finished.lastTransitionTime) + seconds * 1000 - nature.clock.now()
    if (leftMs > 0) return leftMs
    const { namespace, name, uid } = job.metadata
    await system.delete('jobs.batch', namespace, name, { uid, propagationPolicy: 'Foreground' })
    return undefined
  }

  return createRunningController(tools, {
    name: 'The Job controller',
    resource: 'jobs.batch',
    *related(event) {
      if (event.resource === 'pods') yield* controllerKeys(event, 'Job')
    },
    sync,
  })
}

interface Verdict {
  readonly isSuccess: boolean
  readonly reason: string
  readonly message: string
}

function isFinished({ status }: StoredJob): boolean {
  return (
    status?.conditions?.some(
      ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
    ) === true
  )
}

function conditionsOf(job: StoredJob, verdict: Verdict | undefined, now: string): readonly JobCondition[] {
  const before = job.status?.conditions ?? []
  const at = { lastProbeTime: now, lastTransitionTime: now }
  if (verdict !== undefined) {
    const types = verdict.isSuccess ? ['SuccessCriteriaMet', 'Complete'] : ['FailureTarget', 'Failed']
    const { reason, message } = verdict
    return [...before, ...types.map((type) => ({ type, status: 'True', ...at, reason, message }))]
  }
  const suspended = before.find(({ type }) => type === 'Suspended')
  const isSuspended = job.spec?.suspend === true
  if (!isSuspended && suspended?.status !== 'True') return before
  if (isSuspended === (suspended?.status === 'True')) return before
  const told = isSuspended
    ? { type: 'Suspended', status: 'True', ...at, reason: 'JobSuspended', message: 'Job suspended' }
    : { type: 'Suspended', status: 'False', ...at, reason: 'JobResumed', message: 'Job resumed' }
  return [...before.filter(({ type }) => type !== 'Suspended'), told]
}

/** When the last container of a pod that is over ended. */
function finishedMs({ status }: StoredPod): number {
  const times = status?.containerStatuses?.map(({ state }) => timeMs(state?.terminated?.finishedAt ?? ''))
  return Math.max(0, ...(times ?? []).filter(Number.isFinite))
}

function indexOf({ metadata }: StoredPod): string {
  return metadata.annotations?.[indexAnnotation] ?? ''
}

/** `0-2,5`. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = []
  for (const number of numbers.toSorted((left, right) => left - right)) {
    const last = found.at(-1)
    if (last !== undefined && number <= last[1] + 1) last[1] = Math.max(last[1], number)
    else found.push([number, number])
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}
