import type { DeepReadonly } from '../../../base/index.js'
import type { Container, Pod } from '../../../kinds/core/v1.js'
import type { PodFate } from './pod-fate.js'

export interface PodPlace {
  readonly podIP: string
  readonly hostIP: string
  readonly now: string
}

type ContainerState = 'waiting' | 'running' | 'crashed' | 'succeeded' | 'failed' | 'unpullable'

/** The status of a pod whose node has taken it, and whose containers are being made. */
export function startedStatus(pod: DeepReadonly<Pod>, { hostIP, now }: PodPlace): object {
  return {
    ...pod.status,
    phase: 'Pending',
    conditions: conditions(pod, { isReady: false, hasEnded: false }, now),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime: now,
    containerStatuses: containerStatuses(pod, 'waiting', now),
    ...initStatuses(pod, now),
  }
}

/** The status of a pod when its fate has come true. */
export function settledStatus(pod: DeepReadonly<Pod>, fate: PodFate, place: PodPlace): object {
  const { now } = place
  const state = stateOf(fate)
  const phase = { succeed: 'Succeeded', fail: 'Failed', 'image-pull-error': 'Pending' } as Readonly<
    Record<string, string>
  >
  return {
    ...pod.status,
    phase: phase[fate] ?? 'Running',
    conditions: conditions(pod, { isReady: fate === 'ready', hasEnded: fate === 'succeed' }, now),
    hostIP: place.hostIP,
    hostIPs: [{ ip: place.hostIP }],
    ...(fate !== 'image-pull-error' && { podIP: place.podIP, podIPs: [{ ip: place.podIP }] }),
    startTime: pod.status?.startTime ?? now,
    containerStatuses: containerStatuses(pod, state, now),
    ...initStatuses(pod, now),
  }
}

function stateOf(fate: PodFate): ContainerState {
  switch (fate) {
    case 'ready':
    case 'unready':
      return 'running'
    case 'image-pull-error':
      return 'unpullable'
    case 'crash-loop':
      return 'crashed'
    case 'succeed':
      return 'succeeded'
    case 'fail':
      return 'failed'
  }
}

function conditions(
  pod: DeepReadonly<Pod>,
  { isReady, hasEnded }: { isReady: boolean; hasEnded: boolean },
  now: string,
): object[] {
  const names = (pod.spec?.containers ?? []).map(({ name }) => name)
  const unready = hasEnded
    ? { reason: 'PodCompleted' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${names.join(' ')}]` }
  const wanted = [
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', status: isReady ? 'True' : 'False', ...(!isReady && unready) },
    { type: 'ContainersReady', status: isReady ? 'True' : 'False', ...(!isReady && unready) },
    { type: 'PodScheduled', status: 'True' },
  ]
  const own = new Set(wanted.map(({ type }) => type))
  // Conditions of others (readiness gates) are theirs.
  const foreign = pod.status?.conditions?.filter(({ type }) => !own.has(type)) ?? []
  return [
    ...wanted.map((condition) => {
      const known = pod.status?.conditions?.find(({ type }) => type === condition.type)
      const lastTransitionTime = known?.status === condition.status ? (known.lastTransitionTime ?? now) : now
      return { ...condition, lastProbeTime: null, lastTransitionTime }
    }),
    ...foreign,
  ]
}

function containerStatuses(pod: DeepReadonly<Pod>, state: ContainerState, now: string): object[] {
  return (pod.spec?.containers ?? []).map((container) => {
    const before = pod.status?.containerStatuses?.find(({ name }) => name === container.name)
    const restartCount = (before?.restartCount ?? 0) + (state === 'crashed' ? 1 : 0)
    return {
      name: container.name,
      image: container.image ?? '',
      imageID: '',
      ready: state === 'running',
      started: state === 'running',
      restartCount,
      ...stateFields(container, state, now),
    }
  })
}

function stateFields(container: DeepReadonly<Container>, state: ContainerState, now: string): object {
  const terminated = (exitCode: number, reason: string): object => ({
    terminated: { exitCode, reason, startedAt: now, finishedAt: now },
  })
  switch (state) {
    case 'waiting':
      return { state: { waiting: { reason: 'ContainerCreating' } }, lastState: {} }
    case 'running':
      return { state: { running: { startedAt: now } }, lastState: {} }
    case 'unpullable':
      return {
        state: {
          waiting: {
            reason: 'ImagePullBackOff',
            message: `Back-off pulling image "${container.image ?? ''}"`,
          },
        },
        lastState: {},
      }
    case 'crashed':
      return {
        state: {
          waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' },
        },
        lastState: terminated(1, 'Error'),
      }
    case 'succeeded':
      return { state: terminated(0, 'Completed'), lastState: {} }
    case 'failed':
      return { state: terminated(1, 'Error'), lastState: {} }
  }
}

function initStatuses(pod: DeepReadonly<Pod>, now: string): object {
  const containers = pod.spec?.initContainers ?? []
  if (containers.length === 0) return {}
  return {
    initContainerStatuses: containers.map((container) => {
      const isSidecar = container.restartPolicy === 'Always'
      return {
        name: container.name,
        image: container.image ?? '',
        imageID: '',
        ready: true,
        started: isSidecar,
        restartCount: 0,
        state: isSidecar
          ? { running: { startedAt: now } }
          : { terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now } },
        lastState: {},
      }
    }),
  }
}
