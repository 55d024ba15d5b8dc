import type { DeepReadonly } from '../../base/index.js'
import type { APIService } from '../../kinds/apiregistration.k8s.io/v1.js'
import type { Lease } from '../../kinds/coordination.k8s.io/v1.js'
import type { ComponentStatus, Namespace, Node } from '../../kinds/core/v1.js'
import type { FlowSchema, PriorityLevelConfiguration } from '../../kinds/flowcontrol.apiserver.k8s.io/v1.js'
import type { RuntimeClass } from '../../kinds/node.k8s.io/v1.js'
import type { PriorityClass } from '../../kinds/scheduling.k8s.io/v1.js'
import { ageOf, type Cells, compareTexts, nameOf } from './cell-text.js'

export const namespaceCells: Cells<Namespace> = (object, now) => [
  nameOf(object),
  object.status?.phase ?? '',
  ageOf(object, now),
]

export const nodeCells: Cells<Node> = (object, now) => {
  const info = object.status?.nodeInfo
  const kernel = info?.kernelVersion || '<unknown>'
  const addressOf = (type: string): string =>
    object.status?.addresses?.find((address) => address.type === type)?.address ?? '<none>'
  return [
    nameOf(object),
    nodeStatus(object),
    nodeRoles(object.metadata.labels).join(',') || '<none>',
    ageOf(object, now),
    info?.kubeletVersion ?? '',
    addressOf('InternalIP'),
    addressOf('ExternalIP'),
    info?.osImage || '<unknown>',
    info?.architecture ? `${kernel} (${info.architecture})` : kernel,
    info?.containerRuntimeVersion || '<unknown>',
  ]
}

function nodeStatus({ spec, status }: DeepReadonly<Node>): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready')
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return spec?.unschedulable === true ? `${word},SchedulingDisabled` : word
}

const rolePrefix = 'node-role.kubernetes.io/'

function nodeRoles(labels: Readonly<Record<string, string>> | undefined): readonly string[] {
  const roles = Object.entries(labels ?? {}).map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length)
    return key === 'kubernetes.io/role' ? value : ''
  })
  return [...new Set(roles.filter((role) => role !== ''))].toSorted(compareTexts)
}

export const componentStatusCells: Cells<ComponentStatus> = (object) => {
  const healthy = object.conditions?.find(({ type }) => type === 'Healthy')
  const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy'
  return [nameOf(object), status, healthy?.message ?? '', healthy?.error ?? '']
}

export const leaseCells: Cells<Lease> = (object, now) => [
  nameOf(object),
  object.spec?.holderIdentity ?? '',
  ageOf(object, now),
]

export const priorityClassCells: Cells<PriorityClass> = (object, now) => [
  nameOf(object),
  object.value,
  object.globalDefault ?? false,
  ageOf(object, now),
  object.preemptionPolicy ?? '',
]

export const runtimeClassCells: Cells<RuntimeClass> = (object, now) => [
  nameOf(object),
  object.handler,
  ageOf(object, now),
]

export const apiServiceCells: Cells<APIService> = (object, now) => {
  const { service } = object.spec ?? {}
  const available = object.status?.conditions?.find(({ type }) => type === 'Available')
  return [
    nameOf(object),
    service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
    available === undefined
      ? 'Unknown'
      : available.status !== 'True' && available.reason
        ? `${available.status} (${available.reason})`
        : available.status,
    ageOf(object, now),
  ]
}

export const flowSchemaCells: Cells<FlowSchema> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    spec?.priorityLevelConfiguration.name ?? '',
    spec?.matchingPrecedence ?? 0,
    spec?.distinguisherMethod?.type ?? '<none>',
    ageOf(object, now),
    status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ]
}

export const priorityLevelCells: Cells<PriorityLevelConfiguration> = (object, now) => {
  const { limited } = object.spec ?? {}
  const queuing = limited?.limitResponse?.queuing
  return [
    nameOf(object),
    object.spec?.type ?? '',
    limited === undefined ? '<none>' : (limited.nominalConcurrencyShares ?? 0),
    queuing === undefined ? '<none>' : (queuing.queues ?? 0),
    queuing === undefined ? '<none>' : (queuing.handSize ?? 0),
    queuing === undefined ? '<none>' : (queuing.queueLengthLimit ?? 0),
    ageOf(object, now),
  ]
}
