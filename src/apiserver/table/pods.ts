import type { DeepReadonly } from '../../base/index.js'
import type { ContainerStatus, Pod, PodTemplate } from '../../kinds/core/v1.js'
import { ageOf, type Cells, containerCells, labelsText, nameOf, since } from './cell-text.js'

/** What the containers of a pod add up to. */
interface Summary {
  reason: string
  ready: number
  restarts: number
  /** RFC 3339 in UTC and whole seconds: comparing texts compares times. Empty before the first restart. */
  lastRestart: string
}

type Status = DeepReadonly<ContainerStatus>

function countRestarts(into: Summary, status: Status): void {
  into.restarts += status.restartCount
  const finishedAt = status.lastState?.terminated?.finishedAt ?? ''
  if (finishedAt > into.lastRestart) into.lastRestart = finishedAt
}

function endedBecause(prefix: string, status: Status): string {
  const { reason = '', signal = 0, exitCode = 0 } = status.state?.terminated ?? {}
  if (reason !== '') return `${prefix}${reason}`
  return signal === 0 ? `${prefix}ExitCode:${exitCode}` : `${prefix}Signal:${signal}`
}

function isConditionTrue(pod: DeepReadonly<Pod>, type: string): boolean {
  return pod.status?.conditions?.find((condition) => condition.type === type)?.status === 'True'
}

/** The reason that the first unfinished init container gives for holding up the pod; undefined when none does. */
function initReason(status: Status, index: number, count: number): string {
  if (status.state?.terminated !== undefined) return endedBecause('Init:', status)
  const waiting = status.state?.waiting?.reason ?? ''
  return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${count}`
}

function summarize(pod: DeepReadonly<Pod>): Summary {
  const { status = {} } = pod
  const initContainers = pod.spec?.initContainers ?? []
  const isSidecar = (name: string): boolean =>
    initContainers.findLast((container) => container.name === name)?.restartPolicy === 'Always'

  const isGated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  )
  const summary: Summary = {
    reason: isGated === true ? 'SchedulingGated' : status.reason || (status.phase ?? ''),
    ready: 0,
    restarts: 0,
    lastRestart: '',
  }
  // Restarts of sidecars go on counting when the pod is initialised, those of plain init containers are history.
  const ofSidecars: Summary = { ...summary }
  let isInitializing = false
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(summary, container)
    const sidecar = isSidecar(container.name)
    if (sidecar) countRestarts(ofSidecars, container)
    if (container.state?.terminated?.exitCode === 0) continue
    if (sidecar && container.started === true) {
      if (container.ready) summary.ready++
      continue
    }
    summary.reason = initReason(container, index, initContainers.length)
    isInitializing = true
    break
  }
  if (isInitializing && !isConditionTrue(pod, 'Initialized')) return summary

  summary.restarts = ofSidecars.restarts
  summary.lastRestart = ofSidecars.lastRestart
  addContainers(summary, pod)
  return summary
}

function addContainers(summary: Summary, pod: DeepReadonly<Pod>): void {
  let hasRunning = false
  let failure = ''
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    countRestarts(summary, container)
    const { waiting, terminated, running } = container.state ?? {}
    if (waiting?.reason) summary.reason = waiting.reason
    else if (terminated !== undefined) {
      summary.reason = endedBecause('', container)
      if (terminated.exitCode !== 0) failure = summary.reason
    } else if (container.ready && running !== undefined) {
      hasRunning = true
      summary.ready++
    }
  }
  // One completed container does not complete the pod.
  if (summary.reason !== 'Completed') return
  if (hasRunning && isConditionTrue(pod, 'Ready')) summary.reason = 'Running'
  else if (failure !== '') summary.reason = failure
  else if (hasRunning) summary.reason = 'NotReady'
}

function statusOf(pod: DeepReadonly<Pod>, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason
  if (pod.status?.reason === 'NodeLost') return 'Unknown'
  const phase = pod.status?.phase
  return phase === 'Failed' || phase === 'Succeeded' ? reason : 'Terminating'
}

function readinessGates(pod: DeepReadonly<Pod>): string {
  const gates = pod.spec?.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  return `${gates.filter(({ conditionType }) => isConditionTrue(pod, conditionType)).length}/${gates.length}`
}

export const podCells: Cells<Pod> = (pod, now) => {
  const { reason, ready, restarts, lastRestart } = summarize(pod)
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  return [
    nameOf(pod),
    `${ready}/${(pod.spec?.containers ?? []).length + sidecars.length}`,
    statusOf(pod, reason),
    restarts !== 0 && lastRestart !== '' ? `${restarts} (${since(lastRestart, now)} ago)` : `${restarts}`,
    ageOf(pod, now),
    pod.status?.podIPs?.[0]?.ip || '<none>',
    pod.spec?.nodeName || '<none>',
    pod.status?.nominatedNodeName || '<none>',
    readinessGates(pod),
  ]
}

/** What a row says about a pod that is over: clients may leave such rows out. */
export function podConditions(pod: DeepReadonly<Pod>): readonly unknown[] {
  const phase = pod.status?.phase
  if (phase !== 'Succeeded' && phase !== 'Failed') return []
  const message = phase === 'Failed' ? 'The pod failed.' : 'The pod has completed successfully.'
  return [{ type: 'Completed', status: 'True', reason: phase, message }]
}

export const podTemplateCells: Cells<PodTemplate> = ({ metadata, template }) => [
  nameOf({ metadata }),
  ...containerCells(template?.spec?.containers),
  labelsText(template?.metadata?.labels),
]
