import type { Service, ServiceSpec } from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'

/** The part that decides what a service needs. */
type Spec = View<ServiceSpec>

export function isExternalName({ type }: Spec): boolean {
  return type === 'ExternalName'
}

/** No address of its own: clients are told those of its pods. */
export function isHeadless({ clusterIPs }: Spec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === 'None'
}

export function usesNodePorts({ type }: Spec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

/** Whether it can be reached from outside the cluster. */
export function isExternal(spec: Spec): boolean {
  return usesNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0)
}

export function needsHealthCheckPort({ type, externalTrafficPolicy }: Spec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

/** The spec of a service, which decoded bodies always have. */
export function specOf(service: View<Service>): Spec {
  return service.spec ?? {}
}

/** The ports on the nodes that a service holds, its health check included. */
export function nodePortsOf(spec: Spec): number[] {
  const ports = (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort)
  return [...ports, spec.healthCheckNodePort ?? 0].filter((port) => port !== 0)
}
