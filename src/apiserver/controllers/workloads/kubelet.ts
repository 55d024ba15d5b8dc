import type { DeepReadonly } from '../../../base/index.js'
import type { Node, Pod } from '../../../kinds/core/v1.js'
import { type DecideFate, fateOf, type PodFate } from './pod-fate.js'
import { settledStatus, startedStatus } from './pod-status.js'
import { hasEnded } from './pod-template.js'
import {
  createRunningController,
  type RunningController,
  readAs,
  timeMs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

export interface KubeletOptions {
  /** From the arrival of a pod at its node to the running of its containers. */
  readonly startMs: number
  /** How long containers run that end. */
  readonly runMs: number
  /** From the deletion of a pod to its end, at most its grace period. */
  readonly stopMs: number
  readonly decideFate: DecideFate | undefined
}

const component = 'kubelet'

/** The part of the kubelets of simulated nodes: pods start, become what their fate says, and go when they are deleted. */
export function createKubelet(tools: WorkloadTools, options: KubeletOptions): RunningController {
  const { system, nature, events } = tools
  let addresses = 0

  const place = (pod: DeepReadonly<Pod>): { podIP: string; hostIP: string; now: string } => {
    const node = readAs<Node>(system.get('nodes', '', pod.spec?.nodeName ?? ''))
    const hostIP = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '10.0.0.1'
    const podIP = pod.spec?.hostNetwork === true ? hostIP : (pod.status?.podIP ?? nextAddress())
    return { podIP, hostIP, now: nature.timestamp() }
  }
  const nextAddress = (): string => {
    addresses += 1
    return `10.244.${(addresses >> 8) & 255}.${addresses & 255}`
  }

  /** When something is due to happen to a pod, by its uid: its changes in between must not hurry it. */
  const due = new Map<string, number>()
  const untilDueMs = (uid: string): number => (due.get(uid) ?? 0) - nature.clock.monotonic()
  const appoint = (uid: string, delayMs: number): number => {
    due.set(uid, nature.clock.monotonic() + delayMs)
    return delayMs
  }

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const pod = readAs<Pod>(system.get('pods', namespace, name))
    if (pod === undefined || (pod.spec?.nodeName ?? '') === '') return undefined
    if (pod.metadata.deletionTimestamp !== undefined) return end(pod)
    if (hasEnded(pod)) return undefined
    const { uid } = pod.metadata
    const waitMs = untilDueMs(uid)
    if (waitMs > 0) return waitMs
    if (pod.status?.startTime === undefined || pod.status.startTime === null) {
      if (options.startMs <= 0) return settle(pod)
      appoint(uid, options.startMs)
      await writeStatus(tools, 'pods', pod, startedStatus(pod, place(pod)))
      return untilDueMs(uid)
    }
    const isStarting = pod.status.containerStatuses?.some(
      ({ state }) => state?.waiting?.reason === 'ContainerCreating',
    )
    return isStarting === true ? settle(pod) : finish(pod)
  }

  /** Containers that are always started again do not end, well or badly: they do it again and again. */
  function livedFate(pod: DeepReadonly<Pod>): PodFate {
    const fate = fateOf(pod, options.decideFate)
    const ends = fate === 'succeed' || fate === 'fail'
    return ends && (pod.spec?.restartPolicy ?? 'Always') === 'Always' ? 'crash-loop' : fate
  }

  async function settle(pod: DeepReadonly<Pod>): Promise<number | undefined> {
    const fate = livedFate(pod)
    const endsLater = (fate === 'succeed' || fate === 'fail') && options.runMs > 0
    due.delete(pod.metadata.uid)
    if (endsLater) appoint(pod.metadata.uid, options.runMs)
    await writeStatus(tools, 'pods', pod, settledStatus(pod, endsLater ? 'ready' : fate, place(pod)))
    if (fate === 'image-pull-error') {
      const image = pod.spec?.containers[0]?.image ?? ''
      const message = `Failed to pull image "${image}": simulated`
      await events.write(pod, { component, type: 'Warning', reason: 'Failed', message })
    }
    if (fate === 'crash-loop') {
      const message = `Back-off restarting failed container ${pod.spec?.containers[0]?.name ?? ''} in pod ${pod.metadata.name}`
      await events.write(pod, { component, type: 'Warning', reason: 'BackOff', message })
    }
    return endsLater ? options.runMs : undefined
  }

  async function finish(pod: DeepReadonly<Pod>): Promise<undefined> {
    const fate = livedFate(pod)
    const isRunning =
      pod.status?.containerStatuses?.every(({ state }) => state?.running !== undefined) === true
    if (!isRunning || (fate !== 'succeed' && fate !== 'fail')) return undefined
    await writeStatus(tools, 'pods', pod, settledStatus(pod, fate, place(pod)))
    return undefined
  }

  async function end(pod: DeepReadonly<Pod>): Promise<number | undefined> {
    const { namespace, name, uid, deletionGracePeriodSeconds = 0, deletionTimestamp = '' } = pod.metadata
    const askedMs = timeMs(deletionTimestamp) - deletionGracePeriodSeconds * 1000
    const waitMs = askedMs + Math.min(options.stopMs, deletionGracePeriodSeconds * 1000) - nature.clock.now()
    if (options.stopMs > 0 && waitMs > 0) return waitMs
    due.delete(uid)
    await system.delete('pods', namespace, name, { uid, gracePeriodSeconds: 0 })
    return undefined
  }

  return createRunningController(tools, { name: 'The simulated kubelet', resource: 'pods', sync })
}
