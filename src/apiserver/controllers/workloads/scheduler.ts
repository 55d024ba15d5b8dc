import type { DeepReadonly } from '../../../base/index.js'
import type { Node, Pod } from '../../../kinds/core/v1.js'
import {
  createRunningController,
  keyOf,
  type RunningController,
  readAs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredPod = DeepReadonly<Pod>
type StoredNode = DeepReadonly<Node>

const component = 'default-scheduler'

/** Gives pods a node: one that they select, that takes them, and that has the fewest. */
export function createScheduler(tools: WorkloadTools): RunningController {
  const { system, events } = tools
  const podsOf = new Map<string, Set<string>>()

  const isWaiting = ({ spec, metadata, status }: StoredPod): boolean =>
    (spec?.nodeName ?? '') === '' &&
    metadata.deletionTimestamp === undefined &&
    status?.phase === 'Pending' &&
    (spec?.schedulerName ?? component) === component &&
    (spec?.schedulingGates ?? []).length === 0

  async function sync(namespace: string, name: string): Promise<undefined> {
    const pod = readAs<Pod>(system.get('pods', namespace, name))
    if (pod === undefined || !isWaiting(pod)) return
    const nodes = system.list('nodes').map((object) => readAs<Node>(object))
    const fitting = nodes.filter((node) => fits(pod, node))
    const [chosen] = fitting.toSorted((left, right) => load(left) - load(right))
    if (chosen === undefined) return refuse(pod, nodes.length)
    await system.act('pods', namespace, name, 'binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid: pod.metadata.uid },
      target: { apiVersion: 'v1', kind: 'Node', name: chosen.metadata.name },
    })
    const message = `Successfully assigned ${namespace}/${name} to ${chosen.metadata.name}`
    await events.write(pod, { component, type: 'Normal', reason: 'Scheduled', message })
  }

  async function refuse(pod: StoredPod, nodes: number): Promise<undefined> {
    const message =
      nodes === 0
        ? 'no nodes available to schedule pods'
        : `0/${nodes} nodes are available: ${nodes} node(s) didn't match Pod's node affinity/selector.`
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    if (known?.message === message) return
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: tools.nature.timestamp(),
    }
    const others = pod.status?.conditions?.filter(({ type }) => type !== 'PodScheduled') ?? []
    await writeStatus(tools, 'pods', pod, { ...pod.status, conditions: [...others, condition] })
    await events.write(pod, { component, type: 'Warning', reason: 'FailedScheduling', message })
  }

  const load = (node: StoredNode): number => podsOf.get(node.metadata.name)?.size ?? 0

  const controller = createRunningController(tools, {
    name: 'The scheduler',
    resource: 'pods',
    *related({ resource }) {
      // A new or a changed node may take what no other would.
      if (resource !== 'nodes') return
      for (const pod of system.list('pods')) if (isWaiting(readAs<Pod>(pod))) yield keyOf(pod)
    },
    sync,
  })
  return {
    ...controller,
    note(event) {
      if (event.resource === 'pods') {
        const before = nodeOf(event.previous?.object)
        const now = event.type === 'deleted' ? '' : nodeOf(event.current.object)
        if (before !== now) {
          podsOf.get(before)?.delete(event.key)
          if (now !== '') podsOf.set(now, (podsOf.get(now) ?? new Set()).add(event.key))
        }
        // Only pods that wait are its business, and they are few.
        if (event.type === 'deleted' || !isWaiting(readAs<Pod>(event.current.object))) return
      }
      controller.note(event)
    },
  }
}

function nodeOf(object: Parameters<typeof readAs>[0]): string {
  return readAs<Pod>(object)?.spec?.nodeName ?? ''
}

function fits({ spec }: StoredPod, { metadata, spec: node, status }: StoredNode): boolean {
  const isReady =
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  if (node?.unschedulable === true || !isReady) return false
  const selected = Object.entries(spec?.nodeSelector ?? {}).every(
    ([key, value]) => metadata.labels?.[key] === value,
  )
  const tolerated = (node?.taints ?? [])
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .every((taint) =>
      (spec?.tolerations ?? []).some(
        ({ key, operator, value, effect }) =>
          (effect === undefined || effect === taint.effect) &&
          ((operator === 'Exists' && (key === undefined || key === '' || key === taint.key)) ||
            (key === taint.key && (value ?? '') === (taint.value ?? ''))),
      ),
    )
  return selected && tolerated
}
