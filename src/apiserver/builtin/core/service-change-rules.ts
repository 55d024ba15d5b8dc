import type { Service, ServiceSpec } from '../../../kinds/core/v1.js'
import { ipFamilyOf, validateLegacyIp } from '../address-rules.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, forbidden, invalid, itemPath, required } from '../field-errors.js'
import { validateDnsSubdomain, validateWord } from '../value-rules.js'
import { isExternalName, isHeadless, needsHealthCheckPort } from './service-kinds.js'
import { validateLoadBalancerClass } from './service-rules.js'

type Spec = View<ServiceSpec>

/** What may not change in a service. */
export function validateServiceChange(spec: Spec, old: Spec): FieldError[] {
  const errors: FieldError[] = []
  if (!isExternalName(spec) && !isExternalName(old)) {
    if (!isHeadless(spec) || !isHeadless(old)) errors.push(...validateAddressChange(spec, old))
    if (!isHeadless(spec) && !isHeadless(old)) errors.push(...validateFamilyChange(spec, old))
  }
  const isBalancer = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer'
  if (isBalancer && spec.loadBalancerClass !== old.loadBalancerClass)
    errors.push(invalid('spec.loadBalancerClass', spec.loadBalancerClass ?? null, 'may not change once set'))
  errors.push(...validateLoadBalancerClass(spec))
  if (
    needsHealthCheckPort(spec) &&
    needsHealthCheckPort(old) &&
    (spec.healthCheckNodePort ?? 0) !== (old.healthCheckNodePort ?? 0)
  )
    errors.push(forbidden('spec.healthCheckNodePort', 'field is immutable'))
  return errors
}

function validateAddressChange(spec: Spec, old: Spec): FieldError[] {
  const ips = spec.clusterIPs ?? []
  const before = old.clusterIPs ?? []
  const changed = (index: number): FieldError =>
    invalid(itemPath('spec.clusterIPs', index), spec.clusterIPs ?? null, 'may not change once set')
  if (ips.length === before.length)
    return before.flatMap((ip, index) => (ip === ips[index] ? [] : [changed(index)]))
  const errors: FieldError[] = []
  if (ips.length === 0)
    errors.push(invalid('spec.clusterIPs[0]', spec.clusterIPs ?? null, 'primary clusterIP can not be unset'))
  else if (before.length > 0 && ips[0] !== before[0]) errors.push(changed(0))
  if (ips.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== 'SingleStack')
    errors.push(
      invalid(
        'spec.ipFamilyPolicy',
        spec.ipFamilyPolicy ?? null,
        "must be set to 'SingleStack' when releasing the secondary clusterIP",
      ),
    )
  return errors
}

function validateFamilyChange(spec: Spec, old: Spec): FieldError[] {
  const now = spec.ipFamilies ?? []
  const before = old.ipFamilies ?? []
  const path = 'spec.ipFamilies[0]'
  if (now.length === before.length)
    return before.flatMap((family, index) =>
      family === now[index] ? [] : [invalid(path, spec.ipFamilies ?? null, 'may not change once set')],
    )
  const errors: FieldError[] = []
  if (now.length < before.length && (spec.clusterIPs ?? []).length === 0)
    errors.push(invalid(path, spec.ipFamilies ?? null, 'primary ipFamily can not be unset'))
  if (now.length > 0 && before.length > 0 && now[0] !== before[0])
    errors.push(invalid(path, spec.clusterIPs ?? null, 'may not change once set'))
  if (now.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== 'SingleStack')
    errors.push(
      invalid(
        'spec.ipFamilyPolicy',
        spec.ipFamilyPolicy ?? null,
        "must be set to 'SingleStack' when releasing the secondary ipFamily",
      ),
    )
  return errors
}

/** What is wrong with what a load balancer says. */
export function validateLoadBalancerStatus(
  status: NonNullable<View<Service>['status']>['loadBalancer'],
  old: NonNullable<View<Service>['status']>['loadBalancer'],
  { type }: Spec,
): FieldError[] {
  const path = 'status.loadBalancer.ingress'
  const ingress = status?.ingress ?? []
  if (type !== 'LoadBalancer')
    return ingress.length > 0 ? [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")] : []
  const known = (old?.ingress ?? []).map(({ ip }) => ip)
  return validateEach(ingress, path, ({ ip = '', ipMode, hostname = '' }, own) => [
    ...(ip === '' || known.includes(ip) ? [] : validateLegacyIp(ip, `${own}.ip`)),
    ...(ipMode === undefined
      ? ip === ''
        ? []
        : [required(`${own}.ipMode`, 'must be specified when `ip` is set')]
      : ip === ''
        ? [forbidden(`${own}.ipMode`, 'may not be specified when `ip` is not set')]
        : validateWord(ipMode, ['Proxy', 'VIP'], `${own}.ipMode`)),
    ...(hostname === ''
      ? []
      : [
          ...validateDnsSubdomain(hostname, `${own}.hostname`),
          ...(ipFamilyOf(hostname) === undefined
            ? []
            : [invalid(`${own}.hostname`, hostname, 'must be a DNS name, not an IP address')]),
        ]),
  ])
}
