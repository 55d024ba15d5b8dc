import type { DeepReadonly } from '../../../base/index.js'
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../../kinds/apps/v1.js'
import type { Nature } from '../../cluster-state.js'
import { available, limitsOf, size } from './deployment-plan.js'
import { countField, timeMs } from './workload.js'

type StoredDeployment = DeepReadonly<Deployment>
type StoredSet = DeepReadonly<ReplicaSet>
type Status = DeepReadonly<DeploymentStatus>
type Condition = NonNullable<Status['conditions']>[number]

interface Observed {
  readonly current: StoredSet | undefined
  readonly all: readonly StoredSet[]
  readonly nature: Nature
}

/** How a Deployment is doing, and when that changes by time alone: at the end of its progress deadline. */
export function deploymentStatus(
  deployment: StoredDeployment,
  { current, all, nature }: Observed,
): { readonly status: Status; readonly againMs: number | undefined } {
  const sum = (of: (set: StoredSet) => number | undefined): number =>
    all.reduce((total, set) => total + (of(set) ?? 0), 0)
  const availableReplicas = sum(available)
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...countField(
      'replicas',
      sum(({ status }) => status?.replicas),
    ),
    ...countField('updatedReplicas', current?.status?.replicas ?? 0),
    ...countField(
      'readyReplicas',
      sum(({ status }) => status?.readyReplicas),
    ),
    ...countField('availableReplicas', availableReplicas),
    ...countField('unavailableReplicas', Math.max(0, sum(size) - availableReplicas)),
    terminatingReplicas: sum(({ status }) => status?.terminatingReplicas),
    ...(deployment.status?.collisionCount !== undefined && {
      collisionCount: deployment.status.collisionCount,
    }),
  }
  const progress = progressOf(deployment, counts, current, nature)
  const before = deployment.status?.conditions ?? []
  const wanted = [availability(deployment, availableReplicas), ...(progress === undefined ? [] : [progress])]
  // Of conditions that are new, the real controller writes Progressing first; those that are there keep their place.
  const order = [...before.map(({ type }) => type), 'Progressing', 'Available']
  const conditions = [...new Set(order)].flatMap((type) => {
    const next = wanted.find((each) => each.type === type)
    const known = before.find((each) => each.type === type)
    return next === undefined ? (known ?? []) : stamped(next, known, nature)
  })
  return { status: { ...counts, conditions }, againMs: untilDeadlineMs(deployment, conditions, nature) }
}

/** Whether everything is rolled out and works. */
export function isComplete(deployment: StoredDeployment, status: Status): boolean {
  const wanted = deployment.spec?.replicas ?? 1
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  )
}

type Wanted = Omit<Condition, 'lastUpdateTime' | 'lastTransitionTime'>

function availability(deployment: StoredDeployment, availableReplicas: number): Wanted {
  const isMet = availableReplicas >= (deployment.spec?.replicas ?? 1) - limitsOf(deployment).maxUnavailable
  return isMet
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
}

function progressOf(
  deployment: StoredDeployment,
  counts: Status,
  current: StoredSet | undefined,
  nature: Nature,
): Wanted | undefined {
  const known = deployment.status?.conditions?.find(({ type }) => type === 'Progressing')
  const set =
    current === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${current.metadata.name}"`
  const told = (status: string, reason: string, message: string): Wanted => ({
    type: 'Progressing',
    status,
    reason,
    message,
  })
  if (deployment.spec?.paused === true) return told('Unknown', 'DeploymentPaused', 'Deployment is paused')
  if (known?.reason === 'DeploymentPaused')
    return told('Unknown', 'DeploymentResumed', 'Deployment is resumed')
  if (isComplete(deployment, counts))
    return told('True', 'NewReplicaSetAvailable', `${set} has successfully progressed.`)
  const before = deployment.status ?? {}
  const hasProgressed =
    known === undefined ||
    (counts.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    (counts.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (counts.availableReplicas ?? 0) > (before.availableReplicas ?? 0) ||
    (counts.replicas ?? 0) - (counts.updatedReplicas ?? 0) <
      (before.replicas ?? 0) - (before.updatedReplicas ?? 0)
  if (known === undefined && current !== undefined && (counts.replicas ?? 0) === 0)
    return told('True', 'NewReplicaSetCreated', `Created new replica set "${current.metadata.name}"`)
  if (hasProgressed) return told('True', 'ReplicaSetUpdated', `${set} is progressing.`)
  const left = untilDeadlineMs(deployment, deployment.status?.conditions ?? [], nature)
  return left !== undefined && left <= 0
    ? told('False', 'ProgressDeadlineExceeded', `${set} has timed out progressing.`)
    : undefined
}

/** The time of a condition moves with its status; that of its update with anything it says. */
function stamped(next: Wanted, known: Condition | undefined, nature: Nature): Condition {
  const now = nature.timestamp()
  const isSame = known !== undefined && known.status === next.status && known.reason === next.reason
  if (isSame && known.message === next.message) return known
  return {
    ...next,
    lastUpdateTime: now,
    lastTransitionTime: known?.status === next.status ? (known.lastTransitionTime ?? now) : now,
  }
}

function untilDeadlineMs(
  deployment: StoredDeployment,
  conditions: readonly Condition[],
  nature: Nature,
): number | undefined {
  const progressing = conditions.find(({ type }) => type === 'Progressing')
  const seconds = deployment.spec?.progressDeadlineSeconds
  if (seconds === undefined || seconds >= 2 ** 31 - 1 || progressing?.status !== 'True') return undefined
  if (progressing.reason === 'NewReplicaSetAvailable') return undefined
  return timeMs(progressing.lastUpdateTime) + seconds * 1000 - nature.clock.now()
}
