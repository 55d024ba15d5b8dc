import type { Service, ServicePort, ServiceSpec } from '../../../kinds/core/v1.js'
import {
  portNumberProblems,
  validateEndpointIp,
  validateLegacyCidr,
  validateLegacyIp,
} from '../address-rules.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import {
  duplicate,
  duplicateAs,
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  keyPath,
  required,
} from '../field-errors.js'
import { validateLabels } from '../metadata-rules.js'
import { validatePort } from '../pod/probe-rules.js'
import {
  validateDnsLabel,
  validateDnsSubdomain,
  validateQualifiedName,
  validateWord,
} from '../value-rules.js'
import { validateClusterIps } from './cluster-ip-rules.js'
import { isExternal, isExternalName, isHeadless, needsHealthCheckPort } from './service-kinds.js'

type Spec = View<ServiceSpec>

const hintsKey = 'service.kubernetes.io/topology-aware-hints'
const modeKey = 'service.kubernetes.io/topology-mode'
const rangesKey = 'service.beta.kubernetes.io/load-balancer-source-ranges'

/** What is wrong with a service. What is kept from before is not judged again. */
export function validateService(service: View<Service>, oldService?: View<Service>): FieldError[] {
  const { metadata, spec = {} } = service
  const old = oldService?.spec
  const ports = spec.ports ?? []
  return [
    ...validateTopology(metadata?.annotations),
    ...(ports.length === 0 && !isHeadless(spec) && !isExternalName(spec) ? [required('spec.ports')] : []),
    ...validateType(spec),
    ...validatePorts(ports),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateAffinity(spec),
    ...validateClusterIps(spec, old),
    ...validateEach(spec.externalIPs, 'spec.externalIPs', (ip, own) => {
      const errors = old?.externalIPs?.includes(ip) === true ? [] : validateLegacyIp(ip, own)
      return errors.length > 0 ? errors : validateEndpointIp(ip, own)
    }),
    ...validateWord(spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], 'spec.type', ''),
    ...validateNodePorts(spec),
    ...validateRepeatedPorts(ports),
    ...validateSourceRanges(service, oldService),
    ...(spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== 'LoadBalancer'
      ? [forbidden('spec.allocateLoadBalancerNodePorts', "may only be used when `type` is 'LoadBalancer'")]
      : []),
    ...(spec.allocateLoadBalancerNodePorts === undefined && spec.type === 'LoadBalancer'
      ? [required('allocateLoadBalancerNodePorts')]
      : []),
    ...validateLoadBalancerClass(spec),
    ...validateExternalTraffic(spec),
    ...validateInternalTraffic(spec),
    ...(spec.trafficDistribution === undefined
      ? []
      : validateWord(
          spec.trafficDistribution,
          ['PreferClose', 'PreferSameZone', 'PreferSameNode'],
          'spec.trafficDistribution',
        )),
  ]
}

function validateTopology(
  annotations: Readonly<Record<string, string | undefined>> | undefined,
): FieldError[] {
  const hints = annotations?.[hintsKey]
  const mode = annotations?.[modeKey]
  return hints === undefined || mode === undefined || hints === mode
    ? []
    : [
        invalid(
          keyPath('metadata.annotations', modeKey),
          mode,
          `must match annotations[${hintsKey}] when both are specified`,
        ),
      ]
}

function validateType(spec: Spec): FieldError[] {
  const { type, externalName = '' } = spec
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec))
    return [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
  if (type !== 'ExternalName') return []
  const why = 'may not be set for ExternalName services'
  const name = externalName.replace(/[.]$/, '')
  return [
    ...((spec.clusterIPs ?? []).length > 0 ? [forbidden('spec.clusterIPs', why)] : []),
    ...((spec.ipFamilies ?? []).length > 0 ? [forbidden('spec.ipFamilies', why)] : []),
    ...(spec.ipFamilyPolicy === undefined ? [] : [forbidden('spec.ipFamilyPolicy', why)]),
    ...(name === '' ? [required('spec.externalName')] : validateDnsSubdomain(name, 'spec.externalName')),
  ]
}

function validatePorts(ports: readonly View<ServicePort>[]): FieldError[] {
  const names = new Set<string>()
  return validateEach(ports, 'spec.ports', (port, own) => {
    const { name = '', port: number = 0, protocol, targetPort, appProtocol } = port
    const errors: FieldError[] = []
    if (name !== '') {
      errors.push(...validateDnsLabel(name, `${own}.name`))
      if (names.has(name)) errors.push(duplicate(`${own}.name`, name))
      names.add(name)
    } else if (ports.length > 1) {
      errors.push(required(`${own}.name`))
    }
    return [
      ...errors,
      ...invalidFor(`${own}.port`, number, portNumberProblems(number)),
      ...validateWord(protocol, ['SCTP', 'TCP', 'UDP'], `${own}.protocol`, ''),
      ...validatePort(targetPort, `${own}.targetPort`),
      ...(appProtocol === undefined ? [] : validateQualifiedName(appProtocol, `${own}.appProtocol`)),
    ]
  })
}

const longestAffinity = 86_400

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: Spec): FieldError[] {
  const errors = validateWord(sessionAffinity, ['ClientIP', 'None'], 'spec.sessionAffinity', '')
  const path = 'spec.sessionAffinityConfig'
  if (sessionAffinity === 'None')
    return config ? [...errors, forbidden(path, 'must not be set when session affinity is None')] : errors
  if (sessionAffinity !== 'ClientIP') return errors
  const why = 'when session affinity type is ClientIP'
  if (!config) return [...errors, required(path, why)]
  if (!config.clientIP) return [...errors, required(`${path}.clientIP`, why)]
  const { timeoutSeconds: seconds } = config.clientIP
  const own = `${path}.clientIP.timeoutSeconds`
  if (seconds === undefined) return [...errors, required(own, why)]
  return seconds > 0 && seconds <= longestAffinity
    ? errors
    : [...errors, invalid(own, seconds, `must be greater than 0 and less than ${longestAffinity}`)]
}

function validateNodePorts({ type, ports }: Spec): FieldError[] {
  const used = new Set<string>()
  return [
    ...validateEach(type === 'ClusterIP' ? ports : [], 'spec.ports', ({ nodePort = 0 }, own) =>
      nodePort === 0 ? [] : [forbidden(`${own}.nodePort`, "may not be used when `type` is 'ClusterIP'")],
    ),
    ...validateEach(ports, 'spec.ports', ({ protocol, nodePort = 0 }, own) => {
      const key = `${protocol ?? ''}/${nodePort}`
      const isRepeated = nodePort !== 0 && used.has(key)
      used.add(key)
      return isRepeated ? [duplicate(`${own}.nodePort`, nodePort)] : []
    }),
  ]
}

function validateRepeatedPorts(ports: readonly View<ServicePort>[]): FieldError[] {
  const used = new Set<string>()
  return validateEach(ports, 'spec.ports', ({ protocol = '', port = 0 }, own) => {
    const key = `${protocol}/${port}`
    const isRepeated = used.has(key)
    used.add(key)
    if (!isRepeated) return []
    // The server shows its own type here, in the order of its fields.
    const shown = `{"Name":"","Protocol":"${protocol}","AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`
    return [duplicateAs(own, shown)]
  })
}

function validateSourceRanges(service: View<Service>, old: View<Service> | undefined): FieldError[] {
  const { metadata, spec = {} } = service
  const ranges = spec.loadBalancerSourceRanges ?? []
  const why = "may only be used when `type` is 'LoadBalancer'"
  const isBalancer = spec.type === 'LoadBalancer'
  if (ranges.length > 0) {
    const path = 'spec.LoadBalancerSourceRanges'
    const known = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim())
    return [
      ...(isBalancer ? [] : [forbidden(path, why)]),
      ...validateEach(ranges, path, (range, own) =>
        known.includes(range.trim()) ? [] : validateLegacyCidr(range.trim(), own),
      ),
    ]
  }
  const text = metadata?.annotations?.[rangesKey]
  if (text === undefined) return []
  const path = keyPath('metadata.annotations', rangesKey)
  const isNew = old?.metadata?.annotations?.[rangesKey] !== text && text.trim() !== ''
  return [
    ...(isBalancer ? [] : [forbidden(path, why)]),
    ...(isNew ? text.trim().split(',') : []).flatMap((range) => validateLegacyCidr(range.trim(), path)),
  ]
}

/** Asked once more for a change. */
export function validateLoadBalancerClass({ type, loadBalancerClass }: Spec): FieldError[] {
  const path = 'spec.loadBalancerClass'
  if (loadBalancerClass === undefined) return []
  return type === 'LoadBalancer'
    ? validateQualifiedName(loadBalancerClass, path)
    : [forbidden(path, "may only be used when `type` is 'LoadBalancer'")]
}

function validateExternalTraffic(spec: Spec): FieldError[] {
  const { externalTrafficPolicy = '', healthCheckNodePort = 0 } = spec
  const path = 'spec.externalTrafficPolicy'
  const portPath = 'spec.healthCheckNodePort'
  const policy = isExternal(spec)
    ? validateWord(externalTrafficPolicy, ['Cluster', 'Local'], path, '')
    : externalTrafficPolicy === ''
      ? []
      : [invalid(path, externalTrafficPolicy, 'may only be set for externally-accessible services')]
  if (needsHealthCheckPort(spec))
    return healthCheckNodePort === 0
      ? [...policy, required(portPath)]
      : [...policy, ...invalidFor(portPath, healthCheckNodePort, portNumberProblems(healthCheckNodePort))]
  return healthCheckNodePort === 0
    ? policy
    : [
        ...policy,
        invalid(
          portPath,
          healthCheckNodePort,
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
        ),
      ]
}

function validateInternalTraffic({ type, internalTrafficPolicy }: Spec): FieldError[] {
  const path = 'spec.internalTrafficPolicy'
  if (internalTrafficPolicy !== undefined)
    return validateWord(internalTrafficPolicy, ['Cluster', 'Local'], path)
  return type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP' ? [required(path)] : []
}
