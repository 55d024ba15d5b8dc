import type { DeepReadonly } from '../../../base/index.js'
import type { ReplicaSet } from '../../../kinds/apps/v1.js'
import type { Pod } from '../../../kinds/core/v1.js'
import type { LabelSelector } from '../../../kinds/meta/v1.js'
import { ApiFailure } from '../../failure.js'
import { byLoss, isActive, isReady, isTerminating, podOf, untilAvailableMs } from './pod-template.js'
import {
  controllerKeys,
  controllerReference,
  countField,
  createRunningController,
  isUncontrolled,
  keyOf,
  type RunningController,
  readAs,
  selects,
  soonestMs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredSet = DeepReadonly<ReplicaSet>
type StoredPod = DeepReadonly<Pod>

/** The two kinds that keep a number of pods: they differ in their names, and in how their selectors are written. */
const flavors = {
  ReplicaSet: { resource: 'replicasets.apps', component: 'replicaset-controller' },
  ReplicationController: { resource: 'replicationcontrollers', component: 'replication-controller' },
} as const

// What forbids a pod, such as a quota, may end without a change of the set or its pods.
const retryMs = 1000

/** Keeps as many pods as each ReplicaSet, or each ReplicationController, says. */
export function createReplicaSetController(
  tools: WorkloadTools,
  kind: keyof typeof flavors = 'ReplicaSet',
): RunningController {
  const { system, index, events, nature } = tools
  const { resource, component } = flavors[kind]

  function selectorOf({ spec }: StoredSet): DeepReadonly<LabelSelector> | undefined {
    if (kind === 'ReplicaSet') return spec?.selector
    // A ReplicationController, which is read as a set here, has bare labels.
    return { matchLabels: { ...(spec?.selector as Readonly<Record<string, string>> | undefined) } }
  }

  /** Pods of the set; those that fit and belong to nobody become its own, those that fit no more are let go. */
  async function claimPods(set: StoredSet): Promise<StoredPod[]> {
    const { namespace, uid } = set.metadata
    const claimed: StoredPod[] = []
    for (const object of index.controlledBy(uid, 'pods')) {
      const pod = readAs<Pod>(object)
      if (selects(selectorOf(set), pod.metadata.labels)) claimed.push(pod)
      else await setOwners(pod, pod.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [])
    }
    if (set.metadata.deletionTimestamp !== undefined) return claimed
    for (const object of index.uncontrolled(namespace, 'pods')) {
      const pod = readAs<Pod>(object)
      if (!isActive(pod) || !selects(selectorOf(set), pod.metadata.labels)) continue
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

  /** What kept it from having as many pods as it should, if anything did. */
  async function tryToManage(set: StoredSet, active: readonly StoredPod[]): Promise<ApiFailure | undefined> {
    try {
      await manage(set, active)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const message = `Error creating: ${error.message}`
      await events.write(set, { component, type: 'Warning', reason: 'FailedCreate', message })
      return error
    }
  }

  /** Writes its status; returns what `untilAvailableMs` says of each pod that counts. */
  async function tell(set: StoredSet, failure: ApiFailure | undefined): Promise<(number | undefined)[]> {
    const pods = index.controlledBy(set.metadata.uid, 'pods').map((object) => readAs<Pod>(object))
    const active = pods.filter(isActive)
    const nowMs = nature.clock.now()
    const waits = active.map((pod) => untilAvailableMs(pod, set.spec?.minReadySeconds ?? 0, nowMs))
    const templateLabels = { matchLabels: { ...set.spec?.template?.metadata?.labels } }
    const labelled = active.filter((pod) => selects(templateLabels, pod.metadata.labels)).length
    const conditions = conditionsOf(set, failure)
    await writeStatus(tools, resource, set, {
      replicas: active.length,
      ...countField('fullyLabeledReplicas', labelled),
      ...countField('readyReplicas', active.filter(isReady).length),
      ...countField('availableReplicas', waits.filter((wait) => wait === 0).length),
      ...(kind === 'ReplicaSet' && { terminatingReplicas: pods.filter(isTerminating).length }),
      observedGeneration: set.metadata.generation ?? 0,
      ...(conditions.length > 0 && { conditions }),
    })
    return waits
  }

  function conditionsOf(set: StoredSet, failure: ApiFailure | undefined): readonly object[] {
    const before = set.status?.conditions ?? []
    const others = before.filter(({ type }) => type !== 'ReplicaFailure')
    if (failure === undefined) return others
    // The first failure stays until there is none.
    if (others.length < before.length) return before
    const lastTransitionTime = nature.timestamp()
    const told = { reason: 'FailedCreate', message: failure.message, lastTransitionTime }
    return [...others, { type: 'ReplicaFailure', status: 'True', ...told }]
  }

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const set = readAs<ReplicaSet>(system.get(resource, namespace, name))
    if (set === undefined) return undefined
    const active = (await claimPods(set)).filter(isActive)
    const isGoing = set.metadata.deletionTimestamp !== undefined
    const failure = isGoing ? undefined : await tryToManage(set, active)
    const waits = await tell(set, failure)
    return soonestMs(failure === undefined ? waits : [...waits, retryMs])
  }

  return createRunningController(tools, {
    name: `The ${kind} controller`,
    resource,
    *related(event) {
      if (event.resource !== 'pods') return
      yield* controllerKeys(event, kind)
      if (!isUncontrolled(event)) return
      // One that nobody owns may fit a set of its namespace.
      for (const set of system.list(resource, event.current.object.metadata.namespace)) yield keyOf(set)
    },
    sync,
  })
}
