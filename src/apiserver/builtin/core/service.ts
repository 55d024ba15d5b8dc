import { deepEqual } from '../../../base/index.js'
import type { Service, ServiceSpec } from '../../../kinds/core/v1.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import type { WriteContext } from '../../resource.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import type { KindRules } from '../kind-rules.js'
import { labelName } from '../name-rules.js'
import { allocateForService } from './service-allocation.js'
import { validateLoadBalancerStatus, validateServiceChange } from './service-change-rules.js'
import {
  isExternal,
  isExternalName,
  needsHealthCheckPort,
  nodePortsOf,
  specOf,
  usesNodePorts,
} from './service-kinds.js'
import { validateService } from './service-rules.js'

export const serviceRules: KindRules = {
  nameProblems: labelName,
  allowsCreateOnUpdate: true,
  defaults(draft) {
    const service = draftOf<Service>(draft)
    defaultSpec((service.spec ??= {}))
    if (service.spec.type === 'LoadBalancer')
      for (const ingress of service.status?.loadBalancer?.ingress ?? [])
        if (ingress.ip !== undefined) ingress.ipMode ??= 'VIP'
  },
  prepareForCreate(draft, context) {
    const spec = (draftOf<Service>(draft).spec ??= {})
    if (spec.clusterIP !== undefined && spec.clusterIPs === undefined) spec.clusterIPs = [spec.clusterIP]
    allocate(draft, undefined, context)
    dropInternalPolicy(spec)
  },
  prepareForUpdate(draft, old, context) {
    const service = draftOf<Service>(draft)
    const spec = (service.spec ??= {})
    const before = specOf(viewOf<Service>(old))
    keepAllocated(spec, before)
    syncAddresses(spec, before)
    allocate(draft, old, context)
    dropUnneeded(spec, before)
    dropInternalPolicy(spec)
    if (spec.type !== 'LoadBalancer' && service.status !== undefined) service.status.loadBalancer = {}
  },
  warnings: serviceWarnings,
  validateCreate: (object) => validateService(viewOf<Service>(object)),
  validateUpdate(object, old) {
    const service = viewOf<Service>(object)
    const before = viewOf<Service>(old)
    return [...validateServiceChange(specOf(service), specOf(before)), ...validateService(service, before)]
  },
  validateStatusUpdate(object, old) {
    const service = viewOf<Service>(object)
    return validateLoadBalancerStatus(
      service.status?.loadBalancer,
      viewOf<Service>(old).status?.loadBalancer,
      specOf(service),
    )
  },
  selectableFields: {
    'spec.clusterIP': (object) => viewOf<Service>(object).spec?.clusterIP ?? '',
    'spec.type': (object) => viewOf<Service>(object).spec?.type ?? '',
  },
}

function defaultSpec(spec: Draft<ServiceSpec>): void {
  spec.sessionAffinity ??= 'None'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (
    spec.sessionAffinity === 'ClientIP' &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  )
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } }
  spec.type ??= 'ClusterIP'
  for (const port of spec.ports ?? []) {
    port.protocol ??= 'TCP'
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '')
      port.targetPort = port.port ?? 0
  }
  if (isExternal(spec)) spec.externalTrafficPolicy ??= 'Cluster'
  if (usesNodePorts(spec) || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
}

/** What services without addresses got by mistake in older servers is dropped for good. */
function dropInternalPolicy(spec: Draft<ServiceSpec>): void {
  if (isExternalName(spec)) delete spec.internalTrafficPolicy
}

function allocate(draft: ApiObject, old: StoredApiObject | undefined, context: WriteContext): void {
  allocateForService(
    {
      name: draft.metadata.name ?? '',
      namespace: draft.metadata.namespace ?? '',
      spec: draftOf<Service>(draft).spec ?? {},
      old: old && specOf(viewOf<Service>(old)),
    },
    context,
  )
}

/** Who replaces a service need not repeat what was allocated for it. */
function keepAllocated(spec: Draft<ServiceSpec>, old: View<ServiceSpec>): void {
  if (!isExternalName(old) && !isExternalName(spec)) {
    if (old.clusterIP !== undefined) spec.clusterIP ??= old.clusterIP
    if (old.clusterIPs !== undefined) spec.clusterIPs ??= [...old.clusterIPs]
  }
  if (usesNodePorts(old) && usesNodePorts(spec)) {
    const kept = new Set(nodePortsOf(spec).filter((port) => nodePortsOf(old).includes(port)))
    for (const port of spec.ports ?? []) {
      const before = (old.ports ?? []).findLast((one) => (one.name ?? '') === (port.name ?? ''))?.nodePort
      if (before !== undefined && !kept.has(before)) port.nodePort ??= before
    }
  }
  if (needsHealthCheckPort(old) && needsHealthCheckPort(spec) && old.healthCheckNodePort !== undefined)
    spec.healthCheckNodePort ??= old.healthCheckNodePort
}

/** The first of the addresses has a field of its own, which old clients know alone. */
function syncAddresses(spec: Draft<ServiceSpec>, old: View<ServiceSpec>): void {
  const isSame = spec.clusterIP === old.clusterIP
  const areSame = deepEqual(spec.clusterIPs ?? [], old.clusterIPs ?? [])
  if (isSame && (spec.clusterIPs ?? []).length === 0 && old.clusterIPs !== undefined)
    spec.clusterIPs = [...old.clusterIPs]
  if (isSame || !areSame) return
  if (spec.clusterIP === undefined) delete spec.clusterIPs
  else spec.clusterIPs = [spec.clusterIP]
}

/** Fields that make no sense for the new type go, unless they were changed as well: then they are refused. */
function dropUnneeded(spec: Draft<ServiceSpec>, old: View<ServiceSpec>): void {
  if (!isExternalName(old) && isExternalName(spec)) {
    if (spec.clusterIP === old.clusterIP && deepEqual(spec.clusterIPs ?? [], old.clusterIPs ?? [])) {
      delete spec.clusterIP
      delete spec.clusterIPs
    }
    if (deepEqual(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy
  }
  if (usesNodePorts(old) && !usesNodePorts(spec)) {
    const before = (old.ports ?? []).map(({ nodePort }) => nodePort)
    const isSubset = (spec.ports ?? []).every(
      ({ nodePort }) => nodePort === undefined || before.includes(nodePort),
    )
    if (isSubset) for (const port of spec.ports ?? []) delete port.nodePort
  }
  const isSame = (field: keyof ServiceSpec): boolean => spec[field] === old[field]
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(spec) && isSame('healthCheckNodePort'))
    delete spec.healthCheckNodePort
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (isSame('allocateLoadBalancerNodePorts')) delete spec.allocateLoadBalancerNodePorts
    if (isSame('loadBalancerClass')) delete spec.loadBalancerClass
  }
  if (isExternal(old) && !isExternal(spec) && isSame('externalTrafficPolicy'))
    delete spec.externalTrafficPolicy
}

function serviceWarnings(object: ApiObject): string[] {
  const warnings: string[] = []
  const spec = specOf(viewOf<Service>(object))
  const hints = 'service.kubernetes.io/topology-aware-hints'
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === 'None'
  const hasExternalIps = (spec.externalIPs ?? []).length > 0
  if (object.metadata.annotations?.[hints] !== undefined)
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`)
  if (isHeadless) {
    if ((spec.loadBalancerIP ?? '') !== '')
      warnings.push('spec.loadBalancerIP is ignored for headless services')
    if (hasExternalIps) warnings.push('spec.externalIPs is ignored for headless services')
    if (spec.sessionAffinity !== 'None')
      warnings.push('spec.SessionAffinity is ignored for headless services')
  }
  if (hasExternalIps && !isHeadless && spec.type !== 'ExternalName')
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters')
  if (hasExternalIps && spec.type === 'ExternalName')
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"')
  if (spec.type !== 'ExternalName' && (spec.externalName ?? '') !== '')
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"')
  if (spec.trafficDistribution === 'PreferClose')
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
  return warnings
}
