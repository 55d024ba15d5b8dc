import { type DeepReadonly, deepEqual } from '../../../base/index.js'
import type { DaemonSet } from '../../../kinds/apps/v1.js'
import type { Node, Pod } from '../../../kinds/core/v1.js'
import type { StoreEvent } from '../../store/store.js'
import { scaled } from './deployment-plan.js'
import {
  hasEnded,
  isActive,
  isAvailable,
  isReady,
  nextAvailableMs,
  podOf,
  templateHash,
} from './pod-template.js'
import {
  controllerKeys,
  countField,
  createRunningController,
  keyOf,
  type RunningController,
  readAs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredSet = DeepReadonly<DaemonSet>
type StoredPod = DeepReadonly<Pod>

const component = 'daemonset-controller'
const revisionLabel = 'controller-revision-hash'

/** Keeps one pod of each DaemonSet on every node that it selects. */
export function createDaemonSetController(tools: WorkloadTools): RunningController {
  const { system, index, events, nature } = tools

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const set = readAs<DaemonSet>(system.get('daemonsets.apps', namespace, name))
    if (set === undefined) return undefined
    const nodes = system
      .list('nodes')
      .map((object) => readAs<Node>(object))
      .filter((node) => selectsNode(set, node))
      .map(({ metadata }) => metadata.name)
    const revision = templateHash(set.spec?.template ?? {}, 0)
    if (set.metadata.deletionTimestamp === undefined) await manage(set, nodes, revision)
    await tell(set, nodes, revision)
    return nextAvailableMs(podsOf(set), set.spec?.minReadySeconds ?? 0, nature.clock.now())
  }

  const podsOf = (set: StoredSet): StoredPod[] =>
    index.controlledBy(set.metadata.uid, 'pods').map((object) => readAs<Pod>(object))

  async function manage(set: StoredSet, nodes: readonly string[], revision: string): Promise<void> {
    const pods = podsOf(set)
    for (const node of nodes) {
      const present = pods.filter((pod) => nodeOf(pod) === node)
      for (const pod of present)
        if (hasEnded(pod) && pod.metadata.deletionTimestamp === undefined) await remove(set, pod)
      if (present.length === 0) await create(set, node, revision)
    }
    for (const pod of pods) {
      if (!nodes.includes(nodeOf(pod)) && pod.metadata.deletionTimestamp === undefined) await remove(set, pod)
    }
    if (set.spec?.updateStrategy?.type === 'OnDelete') return
    const allowed = scaled(
      set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1,
      nodes.length,
      Math.ceil,
    )
    const unavailable = nodes.length - pods.filter((pod) => isActive(pod) && isReady(pod)).length
    const outdated = pods.filter((pod) => isActive(pod) && pod.metadata.labels?.[revisionLabel] !== revision)
    const broken = outdated.filter((pod) => !isReady(pod))
    const working = outdated.filter((pod) => isReady(pod)).slice(0, Math.max(0, allowed - unavailable))
    for (const pod of [...broken, ...working]) await remove(set, pod)
  }

  async function create(set: StoredSet, node: string, revision: string): Promise<void> {
    const { name } = set.metadata
    const pod = podOf(set.spec?.template ?? {}, set, {
      generateName: `${name}-`,
      labels: { [revisionLabel]: revision, 'pod-template-generation': String(set.metadata.generation ?? 1) },
    })
    pod['spec'] = { ...(pod['spec'] as object), nodeName: node }
    const created = await system.create('pods', pod)
    const message = `Created pod: ${created.metadata.name}`
    await events.write(set, { component, type: 'Normal', reason: 'SuccessfulCreate', message })
  }

  async function remove(set: StoredSet, { metadata }: StoredPod): Promise<void> {
    await system.delete('pods', metadata.namespace, metadata.name, { uid: metadata.uid })
    const message = `Deleted pod: ${metadata.name}`
    await events.write(set, { component, type: 'Normal', reason: 'SuccessfulDelete', message })
  }

  async function tell(set: StoredSet, nodes: readonly string[], revision: string): Promise<void> {
    const pods = podsOf(set).filter(isActive)
    const onNode = pods.filter((pod) => nodes.includes(nodeOf(pod)))
    const minReady = set.spec?.minReadySeconds ?? 0
    const available = onNode.filter((pod) => isAvailable(pod, minReady, nature.clock.now())).length
    await writeStatus(tools, 'daemonsets.apps', set, {
      currentNumberScheduled: onNode.length,
      numberMisscheduled: pods.length - onNode.length,
      desiredNumberScheduled: nodes.length,
      numberReady: onNode.filter((pod) => isReady(pod)).length,
      observedGeneration: set.metadata.generation ?? 0,
      ...countField(
        'updatedNumberScheduled',
        onNode.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length,
      ),
      ...countField('numberAvailable', available),
      ...countField('numberUnavailable', nodes.length - available),
    })
  }

  return createRunningController(tools, {
    name: 'The DaemonSet controller',
    resource: 'daemonsets.apps',
    *related(event) {
      if (event.resource === 'pods') yield* controllerKeys(event, 'DaemonSet')
      // What nodes say of their health comes often, and chooses nothing.
      if (event.resource === 'nodes' && hasNewLabels(event))
        for (const set of system.list('daemonsets.apps')) yield keyOf(set)
    },
    sync,
  })
}

function hasNewLabels({ type, current, previous }: StoreEvent): boolean {
  if (type !== 'modified') return true
  return !deepEqual(current.object.metadata.labels ?? {}, previous?.object.metadata.labels ?? {})
}

function nodeOf({ spec }: StoredPod): string {
  return spec?.nodeName ?? ''
}

function selectsNode({ spec }: StoredSet, { metadata }: DeepReadonly<Node>): boolean {
  return Object.entries(spec?.template.spec?.nodeSelector ?? {}).every(
    ([key, value]) => metadata.labels?.[key] === value,
  )
}
