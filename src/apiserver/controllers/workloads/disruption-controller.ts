import type { DeepReadonly } from '../../../base/index.js'
import type { ReplicaSet } from '../../../kinds/apps/v1.js'
import type { Pod } from '../../../kinds/core/v1.js'
import type { PodDisruptionBudget } from '../../../kinds/policy/v1.js'
import { scaled } from './deployment-plan.js'
import { hasEnded, isActive, isReady } from './pod-template.js'
import {
  createRunningController,
  keyOf,
  type RunningController,
  readAs,
  selects,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type Budget = DeepReadonly<PodDisruptionBudget>

/** Counts how many pods of each disruption budget may go: what evictions ask for. */
export function createDisruptionController(tools: WorkloadTools): RunningController {
  const { system, nature } = tools

  async function sync(namespace: string, name: string): Promise<undefined> {
    const budget = readAs<PodDisruptionBudget>(system.get('poddisruptionbudgets.policy', namespace, name))
    if (budget === undefined) return
    const pods = system
      .list('pods', namespace)
      .map((object) => readAs<Pod>(object))
      .filter((pod) => !hasEnded(pod) && selects(budget.spec?.selector, pod.metadata.labels))
    const expected = expectedPods(pods)
    const desired = desiredHealthy(budget, expected)
    const current = pods.filter((pod) => isActive(pod) && isReady(pod)).length
    const allowed = expected > 0 && current > desired ? current - desired : 0
    const now = nature.timestamp()
    const known = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed')
    const status = allowed > 0 ? 'True' : 'False'
    await writeStatus(tools, 'poddisruptionbudgets.policy', budget, {
      observedGeneration: budget.metadata.generation ?? 0,
      ...(budget.status?.disruptedPods !== undefined && { disruptedPods: budget.status.disruptedPods }),
      disruptionsAllowed: allowed,
      currentHealthy: current,
      desiredHealthy: desired,
      expectedPods: expected,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status,
          observedGeneration: budget.metadata.generation ?? 0,
          lastTransitionTime: known?.status === status ? known.lastTransitionTime : now,
          reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
          message: '',
        },
      ],
    })
  }

  /** As many as the workloads behind them want, not as many as there are. */
  function expectedPods(pods: readonly DeepReadonly<Pod>[]): number {
    const wanted = new Map<string, number>()
    let alone = 0
    for (const { metadata } of pods) {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
      const resource = owner === undefined ? undefined : scalable[owner.kind]
      if (owner === undefined || resource === undefined) {
        alone++
        continue
      }
      const set = readAs<ReplicaSet>(system.get(resource, metadata.namespace, owner.name))
      wanted.set(owner.uid, set?.spec?.replicas ?? 1)
    }
    return Array.from(wanted.values()).reduce((sum, replicas) => sum + replicas, alone)
  }

  return createRunningController(tools, {
    name: 'The disruption controller',
    resource: 'poddisruptionbudgets.policy',
    *related({ resource, current }) {
      if (resource !== 'pods') return
      for (const object of system.list('poddisruptionbudgets.policy', current.object.metadata.namespace)) {
        const { selector } = readAs<PodDisruptionBudget>(object).spec ?? {}
        if (selects(selector, current.object.metadata.labels)) yield keyOf(object)
      }
    },
    sync,
  })
}

const scalable: Readonly<Record<string, string | undefined>> = {
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
  ReplicationController: 'replicationcontrollers',
}

function desiredHealthy({ spec }: Budget, expected: number): number {
  if (spec?.maxUnavailable !== undefined)
    return Math.max(0, expected - scaled(spec.maxUnavailable, expected, Math.ceil))
  return spec?.minAvailable === undefined
    ? Math.max(0, expected - 1)
    : scaled(spec.minAvailable, expected, Math.ceil)
}
