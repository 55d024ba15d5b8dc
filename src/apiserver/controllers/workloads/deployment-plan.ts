import type { DeepReadonly } from '../../../base/index.js'
import type { Deployment, ReplicaSet } from '../../../kinds/apps/v1.js'

type StoredDeployment = DeepReadonly<Deployment>
type StoredSet = DeepReadonly<ReplicaSet>

/** How many more, and how many fewer pods than wanted a rollout may have. */
export function limitsOf(deployment: StoredDeployment): { maxSurge: number; maxUnavailable: number } {
  const replicas = deployment.spec?.replicas ?? 1
  if (deployment.spec?.strategy?.type === 'Recreate') return { maxSurge: 0, maxUnavailable: replicas }
  const { maxSurge: surge, maxUnavailable: unavailable } = deployment.spec?.strategy?.rollingUpdate ?? {}
  const maxSurge = scaled(surge ?? '25%', replicas, Math.ceil)
  const maxUnavailable = scaled(unavailable ?? '25%', replicas, Math.floor)
  // With neither, nothing could ever change.
  return {
    maxSurge,
    maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, replicas),
  }
}

/** An integer, or a percentage of a number. */
export function scaled(value: number | string, of: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100)
}

/** How many pods each set is to have next. Sets that are not in it stay as they are. */
export type Plan = ReadonlyMap<StoredSet, number>

export interface Sets {
  /** Of the current template. */
  readonly current: StoredSet
  readonly old: readonly StoredSet[]
}

/** The next step of a rollout: never more pods than the surge allows, never fewer available ones than promised. */
export function planRollout(deployment: StoredDeployment, { current, old }: Sets): Plan {
  const wanted = deployment.spec?.replicas ?? 1
  const plan = new Map<StoredSet, number>()
  if (deployment.spec?.strategy?.type === 'Recreate') {
    for (const set of old) if (size(set) > 0) plan.set(set, 0)
    const isOldGone = old.every(
      (set) => (set.status?.replicas ?? 0) === 0 && (set.status?.terminatingReplicas ?? 0) === 0,
    )
    if (plan.size === 0 && isOldGone && size(current) !== wanted) plan.set(current, wanted)
    return plan
  }
  const { maxSurge, maxUnavailable } = limitsOf(deployment)
  const total = [current, ...old].reduce((sum, set) => sum + size(set), 0)
  const room = wanted + maxSurge - total
  const next = size(current) >= wanted ? wanted : Math.min(wanted, size(current) + Math.max(0, room))
  if (next !== size(current)) plan.set(current, next)
  planScaleDown(plan, old, {
    total,
    minAvailable: wanted - maxUnavailable,
    current,
  })
  return plan
}

function planScaleDown(
  plan: Map<StoredSet, number>,
  old: readonly StoredSet[],
  { total, minAvailable, current }: { total: number; minAvailable: number; current: StoredSet },
): void {
  const newUnavailable = size(current) - available(current)
  let most = total - minAvailable - newUnavailable
  if (most <= 0) return
  const byAge = old.filter((set) => size(set) > 0).toSorted(byCreation)
  // What does not work anyway is no loss.
  for (const set of byAge) {
    const broken = Math.min(most, size(set) - available(set))
    if (broken <= 0) continue
    plan.set(set, size(set) - broken)
    most -= broken
  }
  let spare = [current, ...old].reduce((sum, set) => sum + available(set), 0) - minAvailable
  for (const set of byAge) {
    const left = plan.get(set) ?? size(set)
    const fewer = Math.min(spare, left)
    if (fewer <= 0) continue
    plan.set(set, left - fewer)
    spare -= fewer
  }
}

/** The wanted number changed, or the rollout is paused: everybody grows or shrinks alike. */
export function planScaling(deployment: StoredDeployment, sets: readonly StoredSet[]): Plan {
  const wanted = deployment.spec?.replicas ?? 1
  const active = sets.filter((set) => size(set) > 0)
  const only = active[0] ?? sets[0]
  if (active.length <= 1 || only === undefined) {
    return only === undefined || size(only) === wanted ? new Map() : new Map([[only, wanted]])
  }
  const { maxSurge } = limitsOf(deployment)
  const total = active.reduce((sum, set) => sum + size(set), 0)
  const allowed = wanted > 0 ? wanted + maxSurge : 0
  let change = allowed - total
  const plan = new Map<StoredSet, number>()
  const largestFirst = active.toSorted((left, right) => size(right) - size(left) || byCreation(left, right))
  for (const set of largestFirst) {
    const share = Math.round((size(set) * (allowed - total)) / total)
    const given = change > 0 ? Math.min(share, change) : Math.max(share, change)
    change -= given
    if (given !== 0) plan.set(set, size(set) + given)
  }
  const [first] = largestFirst
  if (change !== 0 && first !== undefined)
    plan.set(first, Math.max(0, (plan.get(first) ?? size(first)) + change))
  return plan
}

export function size({ spec }: StoredSet): number {
  return spec?.replicas ?? 1
}

export function available({ status }: StoredSet): number {
  return status?.availableReplicas ?? 0
}

export function byCreation(left: StoredSet, right: StoredSet): number {
  return left.metadata.creationTimestamp < right.metadata.creationTimestamp ? -1 : 1
}
