import { type DeepReadonly, deepEqual } from '../../../base/index.js'
import type { Endpoints, Pod, Service } from '../../../kinds/core/v1.js'
import type { EndpointSlice } from '../../../kinds/discovery.k8s.io/v1.js'
import type { ApiObject } from '../../api-object.js'
import { hasEnded, isReady } from './pod-template.js'
import {
  controllerReference,
  createRunningController,
  keyOf,
  type RunningController,
  readAs,
  type WorkloadTools,
} from './workload.js'

type StoredService = DeepReadonly<Service>
type StoredPod = DeepReadonly<Pod>
type ServicePort = NonNullable<NonNullable<StoredService['spec']>['ports']>[number]

const sliceLabels = {
  'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
}
const serviceLabel = 'kubernetes.io/service-name'

/** Keeps the addresses of the pods behind each service, as Endpoints and as an EndpointSlice. */
export function createEndpointsController(tools: WorkloadTools): RunningController {
  const { system, index } = tools

  async function sync(namespace: string, name: string): Promise<undefined> {
    const service = readAs<Service>(system.get('services', namespace, name))
    if (service === undefined) {
      if (isOurs(system.get('endpoints', namespace, name))) await system.delete('endpoints', namespace, name)
      return
    }
    const { selector } = service.spec ?? {}
    if (selector === undefined || service.spec?.type === 'ExternalName') return
    if (service.metadata.deletionTimestamp !== undefined) return
    const pods = system
      .list('pods', namespace)
      .map((object) => readAs<Pod>(object))
      .filter((pod) => hasAddress(pod) && hasLabels(pod, selector))
    await writeSlice(service, pods)
    await writeEndpoints(service, pods)
  }

  async function writeSlice(service: StoredService, pods: readonly StoredPod[]): Promise<void> {
    const { namespace, name, uid, labels } = service.metadata
    const draft = {
      endpoints: pods.map((pod) => sliceEndpoint(pod, service)),
      ports: (service.spec?.ports ?? []).map((port) => ({
        name: port.name ?? '',
        protocol: port.protocol ?? 'TCP',
        port: targetPort(port, pods[0]),
      })),
    }
    const known = index
      .controlledBy(uid, 'endpointslices.discovery.k8s.io')
      .map((object) => readAs<EndpointSlice>(object))[0]
    if (known === undefined) {
      await system.create('endpointslices.discovery.k8s.io', {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          generateName: `${name}-`,
          namespace,
          labels: { ...labels, ...sliceLabels, [serviceLabel]: name },
          // The reference was made for this very form.
          ownerReferences: [controllerReference(service)] as NonNullable<
            ApiObject['metadata']['ownerReferences']
          >,
        },
        addressType: 'IPv4',
        ...draft,
      })
      return
    }
    if (deepEqual(known.endpoints ?? [], draft.endpoints) && deepEqual(known.ports ?? [], draft.ports)) return
    await system.patch('endpointslices.discovery.k8s.io', namespace, known.metadata.name, draft)
  }

  async function writeEndpoints(service: StoredService, pods: readonly StoredPod[]): Promise<void> {
    const { namespace, name, labels } = service.metadata
    const reachable = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const listed = (isListed: boolean): object[] =>
      reachable
        .filter((pod) => (isReady(pod) || publishesAll(service)) === isListed)
        .toSorted((left, right) => ((left.status?.podIP ?? '') < (right.status?.podIP ?? '') ? -1 : 1))
        .map(address)
    const ports = (service.spec?.ports ?? []).map((port) => ({
      ...(port.name !== undefined && { name: port.name }),
      port: targetPort(port, pods[0]),
      protocol: port.protocol ?? 'TCP',
    }))
    const ready = listed(true)
    const notReady = listed(false)
    const subset = {
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(ports.length > 0 && { ports }),
    }
    const subsets = ready.length + notReady.length === 0 ? [] : [subset]
    const known = readAs<Endpoints>(system.get('endpoints', namespace, name))
    if (known !== undefined && deepEqual(known.subsets ?? [], subsets)) return
    if (known !== undefined) {
      await system.patch('endpoints', namespace, name, { subsets: subsets.length === 0 ? null : subsets })
      return
    }
    await system.create('endpoints', {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name, namespace, labels: { ...labels, ...endpointsLabels } },
      ...(subsets.length > 0 && { subsets }),
    })
  }

  return createRunningController(tools, {
    name: 'The endpoints controller',
    resource: 'services',
    *related({ resource, current, previous }) {
      if (resource !== 'pods') return
      const pod = readAs<Pod>(current.object)
      const before = readAs<Pod>(previous?.object)
      for (const object of system.list('services', pod.metadata.namespace)) {
        const { selector } = readAs<Service>(object).spec ?? {}
        if (selector === undefined) continue
        if (hasLabels(pod, selector) || (before !== undefined && hasLabels(before, selector)))
          yield keyOf(object)
      }
    },
    sync,
  })
}

const endpointsLabels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' }

function isOurs(endpoints: Parameters<typeof readAs>[0]): boolean {
  return endpoints?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller'
}

function hasAddress(pod: StoredPod): boolean {
  return (pod.status?.podIP ?? '') !== '' && !hasEnded(pod)
}

function hasLabels({ metadata }: StoredPod, selector: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value)
}

function publishesAll({ spec }: StoredService): boolean {
  return spec?.publishNotReadyAddresses === true
}

function targetOf({ metadata }: StoredPod): object {
  return { kind: 'Pod', namespace: metadata.namespace, name: metadata.name, uid: metadata.uid }
}

function sliceEndpoint(pod: StoredPod, service: StoredService): object {
  const isTerminating = pod.metadata.deletionTimestamp !== undefined
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: {
      ready: publishesAll(service) || (isReady(pod) && !isTerminating),
      serving: isReady(pod),
      terminating: isTerminating,
    },
    ...(pod.spec?.hostname !== undefined &&
      pod.spec.subdomain === service.metadata.name && { hostname: pod.spec.hostname }),
    ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
    targetRef: targetOf(pod),
  }
}

function address(pod: StoredPod): object {
  return {
    ip: pod.status?.podIP ?? '',
    ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
    targetRef: targetOf(pod),
  }
}

/** The number of a port; a name is looked up in the containers of a pod. */
function targetPort({ port, targetPort: target = port }: ServicePort, pod: StoredPod | undefined): number {
  if (typeof target === 'number') return target
  const named = pod?.spec?.containers
    .flatMap(({ ports }) => ports ?? [])
    .find(({ name }) => name === target)?.containerPort
  return named ?? port
}
