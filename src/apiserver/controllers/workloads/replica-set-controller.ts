import type { DeepReadonly } from '../../../base/index.js'
import type { ReplicaSet } from '../../../kinds/apps/v1.js'
import type { Pod } from '../../../kinds/core/v1.js'
import { byLoss, isActive, isReady, isTerminating, podOf, untilAvailableMs } from './pod-template.js'
import {
  controllerKeys,
  controllerReference,
  countField,
  createRunningController,
  keyOf,
  type RunningController,
  readAs,
  selects,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredSet = DeepReadonly<ReplicaSet>
type StoredPod = DeepReadonly<Pod>

const component = 'replicaset-controller'

/** Keeps as many pods as each ReplicaSet says. */
export function createReplicaSetController(tools: WorkloadTools): RunningController {
  const { system, index, events, nature } = tools

  /** Pods of the set; those that fit and belong to nobody become its own, those that fit no more are let go. */
  async function claimPods(set: StoredSet): Promise<StoredPod[]> {
    const { namespace, uid } = set.metadata
    const claimed: StoredPod[] = []
    for (const object of index.controlledBy(uid, 'pods')) {
      const pod = readAs<Pod>(object)
      if (selects(set.spec?.selector, pod.metadata.labels)) claimed.push(pod)
      else await setOwners(pod, pod.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [])
    }
    if (set.metadata.deletionTimestamp !== undefined) return claimed
    for (const object of index.uncontrolled(namespace, 'pods')) {
      const pod = readAs<Pod>(object)
      if (!isActive(pod) || !selects(set.spec?.selector, pod.metadata.labels)) continue
      const owners = [...(pod.metadata.ownerReferences ?? []), controllerReference(set)]
      claimed.push(await setOwners(pod, owners))
    }
    return claimed
  }

  async function setOwners(pod: StoredPod, owners: readonly object[]): Promise<StoredPod> {
    const { namespace, name, uid } = pod.metadata
    const ownerReferences = owners.length === 0 ? null : owners
    return readAs<Pod>(await system.patch('pods', namespace, name, { metadata: { uid, ownerReferences } }))
  }

  async function manage(set: StoredSet, active: readonly StoredPod[]): Promise<void> {
    const { namespace, name } = set.metadata
    const surplus = active.length - (set.spec?.replicas ?? 1)
    for (let missing = -surplus; missing > 0; missing--) {
      const template = set.spec?.template ?? {}
      const pod = await system.create('pods', podOf(template, set, { generateName: `${name}-` }))
      const message = `Created pod: ${pod.metadata.name}`
      await events.write(set, { component, type: 'Normal', reason: 'SuccessfulCreate', message })
    }
    if (surplus <= 0) return
    for (const pod of active.toSorted(byLoss).slice(0, surplus)) {
      await system.delete('pods', namespace, pod.metadata.name, { uid: pod.metadata.uid })
      const message = `Deleted pod: ${pod.metadata.name}`
      await events.write(set, { component, type: 'Normal', reason: 'SuccessfulDelete', message })
    }
  }

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const set = readAs<ReplicaSet>(system.get('replicasets.apps', namespace, name))
    if (set === undefined) return undefined
    const pods = await claimPods(set)
    const active = pods.filter(isActive)
    if (set.metadata.deletionTimestamp === undefined) await manage(set, active)
    const nowMs = nature.clock.now()
    const waits = active.map((pod) => untilAvailableMs(pod, set.spec?.minReadySeconds ?? 0, nowMs))
    const templateLabels = { matchLabels: { ...set.spec?.template?.metadata?.labels } }
    const labelled = active.filter((pod) => selects(templateLabels, pod.metadata.labels)).length
    await writeStatus(tools, 'replicasets.apps', set, {
      replicas: active.length,
      ...countField('fullyLabeledReplicas', labelled),
      ...countField('readyReplicas', active.filter(isReady).length),
      ...countField('availableReplicas', waits.filter((wait) => wait === 0).length),
      terminatingReplicas: pods.filter(isTerminating).length,
      observedGeneration: set.metadata.generation ?? 0,
      ...(set.status?.conditions !== undefined && { conditions: set.status.conditions }),
    })
    const positive = waits.filter((wait) => wait !== undefined).filter((wait) => wait > 0)
    return positive.length === 0 ? undefined : Math.min(...positive)
  }

  return createRunningController(tools, {
    name: 'The ReplicaSet controller',
    resource: 'replicasets.apps',
    *related(event) {
      if (event.resource !== 'pods') return
      yield* controllerKeys(event, 'ReplicaSet')
      // One that nobody owns may fit a set of its namespace.
      const { metadata } = event.current.object
      if (
        event.type === 'deleted' ||
        metadata.ownerReferences?.some(({ controller }) => controller === true) === true
      )
        return
      for (const set of system.list('replicasets.apps', metadata.namespace)) yield keyOf(set)
    },
    sync,
  })
}
