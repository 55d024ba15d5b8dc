import { BlockList } from 'node:net'
import { deepEqual } from '../../../base/index.js'
import type { Service, ServiceSpec } from '../../../kinds/core/v1.js'
import { internalError, invalid as invalidObject } from '../../failure.js'
import type { WriteContext } from '../../resource.js'
import { ipFamilyOf } from '../address-rules.js'
import { type Draft, type View, viewOf } from '../draft.js'
import { type FieldError, invalid, itemPath } from '../field-errors.js'
import { validateClusterIps } from './cluster-ip-rules.js'
import {
  isExternalName,
  isHeadless,
  needsHealthCheckPort,
  nodePortsOf,
  usesNodePorts,
} from './service-kinds.js'

/** Where services get their addresses and ports from. The first of each range are left for those who ask for one. */
export const serviceCidr = '10.96.0.0/16'
const serviceRange = { text: serviceCidr, first: 1, firstDynamic: 257, last: 65_534 }
const portRange = { first: 30_000, firstDynamic: 30_086, last: 32_767 }

/** The address of this number in the range of services. The first is that of the server itself. */
export function serviceAddress(number: number): string {
  return `10.96.${number >> 8}.${number & 255}`
}

/** A service in the making, and what it was before. */
export interface ServiceChange {
  readonly name: string
  readonly namespace: string
  readonly spec: Draft<ServiceSpec>
  readonly old: View<ServiceSpec> | undefined
}

/**
 * Gives a service the addresses and ports that it needs, the first free ones. Throws ApiFailure: 422 for those that it
 * may not have, 500 when there are none left.
 */
export function allocateForService(change: ServiceChange, context: WriteContext): void {
  const others = context.cluster
    .list('services')
    .filter(({ metadata }) => metadata.name !== change.name || metadata.namespace !== change.namespace)
    .map((service) => viewOf<Service>(service).spec ?? {})
  initFamilies(change)
  const isKept = change.old !== undefined && !isExternalName(change.old)
  if (!isKept) allocateAddresses(change, others, context)
  allocatePorts(change, others, context)
}

function refuse({ name }: ServiceChange, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: '', resource: 'Service' }, name, errors)
}

/** Families and their policy, as a cluster with IPv4 alone has them. */
function initFamilies(change: ServiceChange): void {
  const { spec, old } = change
  if (isExternalName(spec)) return
  const isBare = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0
  // A word that is wrong is named below.
  spec.ipFamilyPolicy ??=
    (old?.ipFamilyPolicy as Draft<ServiceSpec>['ipFamilyPolicy']) ??
    (isBare ? 'RequireDualStack' : 'SingleStack')
  refuse(change, validateClusterIps(spec, old))
  refuse(change, narrowToPolicy(spec, old))
  const families = (spec.ipFamilies ??= [])
  const errors: FieldError[] = []
  for (const [index, ip] of (spec.clusterIPs ?? []).entries()) {
    if (ip === 'None') break
    if (index < families.length) continue
    const family = ipFamilyOf(ip) ?? 'IPv4'
    if (family === 'IPv4') families.push(family)
    else
      errors.push(
        invalid(
          itemPath('spec.clusterIPs', index),
          spec.clusterIPs,
          `${family} is not configured on this cluster`,
        ),
      )
  }
  refuse(change, errors)
  if (isBare) {
    if (families.length === 0) families.push('IPv4')
    if (families.length < 2 && spec.ipFamilyPolicy !== 'SingleStack')
      families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4')
    return
  }
  refuse(change, [
    ...(spec.ipFamilyPolicy === 'RequireDualStack'
      ? [
          invalid(
            'spec.ipFamilyPolicy',
            spec.ipFamilyPolicy,
            'this cluster is not configured for dual-stack services',
          ),
        ]
      : []),
    ...families.flatMap((family, index) =>
      family === 'IPv4'
        ? []
        : [invalid(itemPath('spec.ipFamilies', index), family, 'not configured on this cluster')],
    ),
  ])
  if (families.length === 0) families.push('IPv4')
}

function narrowToPolicy(spec: Draft<ServiceSpec>, old: View<ServiceSpec> | undefined): FieldError[] {
  const path = 'spec.ipFamilyPolicy'
  const errors: FieldError[] = []
  if (old !== undefined && spec.ipFamilyPolicy === 'SingleStack') {
    if (deepEqual(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1)
    if (deepEqual(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1)
  } else if (old !== undefined) {
    const isReduced = (
      list: readonly unknown[] | undefined,
      before: readonly unknown[] | undefined,
    ): boolean => (list ?? []).length > 0 && (list ?? []).length < (before ?? []).length
    if (isReduced(spec.clusterIPs, old.clusterIPs))
      errors.push(
        invalid(path, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP"),
      )
    if (isReduced(spec.ipFamilies, old.ipFamilies))
      errors.push(
        invalid(path, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family"),
      )
  }
  if (spec.ipFamilyPolicy !== 'SingleStack') return errors
  const rule = "must be 'RequireDualStack' or 'PreferDualStack' when multiple"
  if ((spec.clusterIPs ?? []).length === 2)
    errors.push(invalid(path, spec.ipFamilyPolicy, `${rule} cluster IPs are specified`))
  if ((spec.ipFamilies ?? []).length === 2)
    errors.push(invalid(path, spec.ipFamilyPolicy, `${rule} IP families are specified`))
  return errors
}

function allocateAddresses(
  change: ServiceChange,
  others: readonly View<ServiceSpec>[],
  { isDryRun }: WriteContext,
): void {
  const { spec, name } = change
  if (isExternalName(spec) || isHeadless(spec)) return
  const wanted = spec.clusterIPs?.[0] ?? ''
  const used = new Set(others.flatMap(({ clusterIPs }) => clusterIPs ?? []))
  if (wanted !== '') refuse(change, claimErrors(wanted, used, isDryRun))
  const address = wanted === '' ? freeAddress(name, used, isDryRun) : wanted
  spec.clusterIP = address
  spec.clusterIPs = [address]
}

function claimErrors(address: string, used: ReadonlySet<string>, isDryRun: boolean): FieldError[] {
  const fail = (why: string): FieldError[] => [
    invalid('spec.clusterIPs', [address], `failed to allocate IP ${address}: ${why}`),
  ]
  const range = new BlockList()
  range.addRange(serviceAddress(serviceRange.first), serviceAddress(serviceRange.last), 'ipv4')
  if (!range.check(address, 'ipv4'))
    return fail(
      isDryRun
        ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceRange.text}`
        : 'the provided network does not match the current range',
    )
  return used.has(address) && !isDryRun ? fail('provided IP is already allocated') : []
}

function freeAddress(name: string, used: ReadonlySet<string>, isDryRun: boolean): string {
  // The real server does not look for a free one either when nothing will be stored.
  if (isDryRun) return serviceAddress(0)
  const found = firstFree(serviceRange, (number) => used.has(serviceAddress(number)))
  if (found === undefined)
    throw internalError(`failed to allocate a serviceIP for Service "${name}": range is full`)
  return serviceAddress(found)
}

function firstFree(
  range: { readonly first: number; readonly firstDynamic: number; readonly last: number },
  isUsed: (number: number) => boolean,
): number | undefined {
  for (let number = range.firstDynamic; number <= range.last; number++) if (!isUsed(number)) return number
  for (let number = range.first; number < range.firstDynamic; number++) if (!isUsed(number)) return number
  return undefined
}

function allocatePorts(
  change: ServiceChange,
  others: readonly View<ServiceSpec>[],
  { isDryRun }: WriteContext,
): void {
  const { spec, old } = change
  const used = new Set(others.flatMap(nodePortsOf))
  const own = new Set(old === undefined ? [] : nodePortsOf(old))
  const byPort = new Map<number, number>()
  if (usesNodePorts(spec)) {
    const gives = spec.type !== 'LoadBalancer' || (spec.allocateLoadBalancerNodePorts ?? true)
    for (const [index, port] of (spec.ports ?? []).entries()) {
      const number = port.port ?? 0
      const sibling = byPort.get(number)
      const wanted =
        port.nodePort ??
        sibling ??
        // One port may be served by several protocols, and is the same on the nodes for all.
        (spec.ports ?? []).find((other) => other.port === number && other.nodePort !== undefined)?.nodePort
      if (wanted === undefined && !gives) continue
      if (wanted !== undefined && wanted !== sibling && !own.has(wanted))
        refuse(change, portErrors(wanted, used, `${itemPath('spec.ports', index)}.nodePort`, isDryRun))
      const given = wanted ?? freePort(used, own, 'a nodePort')
      port.nodePort = given
      byPort.set(number, given)
      own.add(given)
    }
  }
  if (!needsHealthCheckPort(spec)) return
  const wanted = spec.healthCheckNodePort ?? 0
  const isTaken = used.has(wanted) || wanted < portRange.first || wanted > portRange.last
  if (wanted === 0) spec.healthCheckNodePort = freePort(used, own, 'a HealthCheck NodePort 0')
  else if (isTaken)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${portProblem(wanted)}`)
}

function portProblem(port: number): string {
  return port < portRange.first || port > portRange.last
    ? `provided port is not in the valid range. The range of valid ports is ${portRange.first}-${portRange.last}`
    : 'provided port is already allocated'
}

function portErrors(port: number, used: ReadonlySet<number>, path: string, isDryRun: boolean): FieldError[] {
  const isOutside = port < portRange.first || port > portRange.last
  // Whether there is such a port is found out only by allocating it.
  if (isDryRun ? !used.has(port) : !isOutside && !used.has(port)) return []
  return [invalid(path, port, portProblem(port))]
}

function freePort(used: ReadonlySet<number>, own: ReadonlySet<number>, what: string): number {
  const found = firstFree(portRange, (port) => used.has(port) || own.has(port))
  if (found === undefined) throw internalError(`failed to allocate ${what}: range is full`)
  return found
}
