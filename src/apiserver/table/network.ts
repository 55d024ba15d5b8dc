import type { DeepReadonly } from '../../base/index.js'
import type { Endpoints, Service } from '../../kinds/core/v1.js'
import type { EndpointSlice } from '../../kinds/discovery.k8s.io/v1.js'
import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from '../../kinds/networking.k8s.io/v1.js'
import { ageOf, type Cells, compareTexts, labelsText, nameOf, selectorCell, shortList } from './cell-text.js'

export const serviceCells: Cells<Service> = (object, now) => {
  const { spec } = object
  return [
    nameOf(object),
    spec?.type ?? '',
    spec?.clusterIPs?.[0] ?? '<none>',
    externalAddress(object),
    (spec?.ports ?? [])
      .map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? ''}`)
      .join(',') || '<none>',
    ageOf(object, now),
    labelsText(spec?.selector),
  ]
}

function externalAddress({ spec, status }: DeepReadonly<Service>): string {
  const own = spec?.externalIPs ?? []
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>'
    case 'LoadBalancer':
      return [...balancerAddresses(status?.loadBalancer?.ingress), ...own].join(',') || '<pending>'
    case 'ExternalName':
      return spec.externalName ?? ''
    default:
      return '<unknown>'
  }
}

function balancerAddresses(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | undefined,
): readonly string[] {
  const addresses = (ingress ?? []).map(({ ip, hostname }) => ip || (hostname ?? ''))
  return [...new Set(addresses.filter((address) => address !== ''))].toSorted(compareTexts)
}

export const endpointsCells: Cells<Endpoints> = (object, now) => [
  nameOf(object),
  endpointAddresses(object),
  ageOf(object, now),
]

function endpointAddresses({ subsets }: DeepReadonly<Endpoints>): string {
  if (subsets === undefined || subsets.length === 0) return '<none>'
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) =>
          addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
        ),
  )
  return shortList(all, 3)
}

export const endpointSliceCells: Cells<EndpointSlice> = (object, now) => {
  const ports = (object.ports ?? []).map(({ name, port }) => `${port ?? name ?? '*'}`)
  const addresses = object.endpoints?.flatMap((endpoint) => endpoint.addresses) ?? []
  return [
    nameOf(object),
    object.addressType,
    shortList(ports, 3) || '<unset>',
    shortList(addresses, 3) || '<unset>',
    ageOf(object, now),
  ]
}

export const ingressCells: Cells<Ingress> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    spec?.ingressClassName ?? '<none>',
    hosts(spec?.rules ?? []),
    balancerAddresses(status?.loadBalancer?.ingress).join(','),
    (spec?.tls ?? []).length > 0 ? '80, 443' : '80',
    ageOf(object, now),
  ]
}

/** The first three hosts. What is "more" is counted in rules, those without a host included, as the server counts. */
function hosts(rules: readonly { readonly host?: string }[]): string {
  const shown: string[] = []
  for (const { host = '' } of rules) {
    if (shown.length === 3) return `${shown.join(',')} + ${rules.length - 3} more...`
    if (host !== '') shown.push(host)
  }
  return shown.join(',') || '*'
}

export const ingressClassCells: Cells<IngressClass> = (object, now) => {
  const { parameters, controller } = object.spec ?? {}
  const isDefault = object.metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
  return [
    isDefault ? `${nameOf(object)} (default)` : nameOf(object),
    controller ?? '',
    parameters === undefined
      ? '<none>'
      : `${parameters.kind}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/${parameters.name}`,
    ageOf(object, now),
  ]
}

export const networkPolicyCells: Cells<NetworkPolicy> = (object, now) => [
  nameOf(object),
  selectorCell(object.spec?.podSelector),
  ageOf(object, now),
]

export const serviceCidrCells: Cells<ServiceCIDR> = (object, now) => [
  nameOf(object),
  (object.spec?.cidrs ?? []).join(','),
  ageOf(object, now),
]

/** One cell more than there are columns: so the server has it. */
export const ipAddressCells: Cells<IPAddress> = (object, now) => {
  const parent = object.spec?.parentRef
  if (parent === undefined) return [nameOf(object), '<none>', ageOf(object, now)]
  const resource = parent.group ? `${parent.resource}.${parent.group}` : parent.resource
  const name = parent.namespace ? `${parent.namespace}/${parent.name}` : parent.name
  return [nameOf(object), `${resource.toLowerCase()}/${name}`, ageOf(object, now)]
}
