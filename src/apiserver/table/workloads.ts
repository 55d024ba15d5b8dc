import { type DeepReadonly, parseUtcTime } from '../../base/index.js'
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '../../kinds/apps/v1.js'
import type { CronJob, Job, JobStatus } from '../../kinds/batch/v1.js'
import type { ReplicationController } from '../../kinds/core/v1.js'
import { parseApiVersion } from '../../objects/index.js'
import {
  ageOf,
  type Cells,
  containerCells,
  labelsText,
  nameOf,
  selectorCell,
  selectorText,
  since,
} from './cell-text.js'
import { humanDuration } from './human-duration.js'

export const deploymentCells: Cells<Deployment> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    ageOf(object, now),
    ...containerCells(spec?.template.spec?.containers),
    selectorText(spec?.selector, '<invalid>'),
  ]
}

export const replicaSetCells: Cells<ReplicaSet> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(object, now),
    ...containerCells(spec?.template?.spec?.containers),
    selectorCell(spec?.selector),
  ]
}

export const replicationControllerCells: Cells<ReplicationController> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(object, now),
    ...containerCells(spec?.template?.spec?.containers),
    labelsText(spec?.selector),
  ]
}

export const statefulSetCells: Cells<StatefulSet> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ageOf(object, now),
    ...containerCells(spec?.template.spec?.containers),
  ]
}

export const daemonSetCells: Cells<DaemonSet> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelsText(spec?.template.spec?.nodeSelector),
    ageOf(object, now),
    ...containerCells(spec?.template.spec?.containers),
    selectorCell(spec?.selector),
  ]
}

export const controllerRevisionCells: Cells<ControllerRevision> = (object, now) => {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true)
  return [
    nameOf(object),
    owner === undefined ? '<none>' : controllerName(owner),
    object.revision,
    ageOf(object, now),
  ]
}

function controllerName(owner: {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}): string {
  const { group } = parseApiVersion(owner.apiVersion)
  const kind = group === '' ? owner.kind : `${owner.kind}.${group}`
  return `${kind.toLowerCase()}/${owner.name}`
}

export const jobCells: Cells<Job> = (object, now) => [
  nameOf(object),
  jobStatus(object),
  completions(object),
  jobDuration(object.status, now),
  ageOf(object, now),
  ...containerCells(object.spec?.template.spec?.containers),
  selectorCell(object.spec?.selector),
]

function jobStatus({ metadata, status }: DeepReadonly<Job>): string {
  const has = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === 'True'
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (metadata.deletionTimestamp !== undefined) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running'
}

function completions({ spec, status }: DeepReadonly<Job>): string {
  const succeeded = status?.succeeded ?? 0
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`
  const parallelism = spec?.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration(status: DeepReadonly<JobStatus> | undefined, now: number): string {
  const start = parseUtcTime(status?.startTime ?? '')
  if (start === undefined) return ''
  return humanDuration((parseUtcTime(status?.completionTime ?? '') ?? now) - start)
}

export const cronJobCells: Cells<CronJob> = (object, now) => {
  const { spec, status } = object
  const job = spec?.jobTemplate.spec
  return [
    nameOf(object),
    spec?.schedule ?? '',
    spec?.timeZone ?? '<none>',
    spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    status?.active?.length ?? 0,
    status?.lastScheduleTime === undefined ? '<none>' : since(status.lastScheduleTime, now),
    ageOf(object, now),
    ...containerCells(job?.template.spec?.containers),
    selectorCell(job?.selector),
  ]
}
