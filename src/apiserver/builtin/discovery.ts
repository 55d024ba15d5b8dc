import { deepEqual } from '../../base/index.js'
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from '../../kinds/discovery.k8s.io/v1.js'
import { dns1123LabelErrors, dns1123SubdomainErrors, labelValueErrors } from '../../objects/index.js'
import { ipFamilyOf, validateEndpointIp, validateIp, validateLegacyIp } from './address-rules.js'
import { draftOf, type View, viewOf } from './draft.js'
import { duplicate, type FieldError, invalid, invalidFor, required, tooMany } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { validateLabels } from './metadata-rules.js'
import { subdomainName } from './name-rules.js'
import {
  isAbsent,
  isBlank,
  validateDnsLabel,
  validateImmutable,
  validateQualifiedName,
  validateWord,
} from './value-rules.js'

const addressTypes = ['FQDN', 'IPv4', 'IPv6']
const protocols = ['SCTP', 'TCP', 'UDP']

/** What is particular to the kinds of discovery.k8s.io. */
export const discoveryRules: GroupRules = {
  EndpointSlice: {
    hasGeneration: true,
    isNewGeneration: (draft, old) =>
      ['addressType', 'endpoints', 'ports'].some((field) => !deepEqual(draft[field], old[field])) ||
      !deepEqual(draft.metadata.labels, old.metadata.labels),
    defaults(draft) {
      for (const port of draftOf<EndpointSlice>(draft).ports ?? []) {
        port.name ??= ''
        port.protocol ??= 'TCP'
      }
    },
    prepareForCreate(draft) {
      // Only slices of older servers keep it.
      for (const endpoint of draftOf<EndpointSlice>(draft).endpoints ?? []) delete endpoint.deprecatedTopology
    },
    validateCreate(object, context) {
      const slice = viewOf<EndpointSlice>(object)
      const errors = validateSlice(slice, undefined)
      if (errors.length === 0 && slice.addressType === 'FQDN')
        context.warn('spec.addressType: FQDN endpoints are deprecated')
      return errors
    },
    validateUpdate(object, old) {
      const slice = viewOf<EndpointSlice>(object)
      const before = viewOf<EndpointSlice>(old)
      return [
        ...validateSlice(slice, before),
        ...validateImmutable(slice.addressType ?? '', before.addressType ?? '', 'addressType'),
      ]
    },
  },
}

function validateSlice(slice: View<EndpointSlice>, old: View<EndpointSlice> | undefined): FieldError[] {
  const { addressType = '', ports, endpoints } = slice
  const wrong = validateEndpoints(endpoints ?? [], addressType)
  // What was let in once may stay.
  const isKept = wrong.length > 0 && old !== undefined && deepEqual(old.endpoints, endpoints)
  return [
    ...validateWord(addressType, addressTypes, 'addressType', ''),
    ...validatePorts(ports ?? []),
    ...(isKept ? [] : wrong),
  ]
}

function validatePorts(ports: readonly View<EndpointPort>[]): FieldError[] {
  if (ports.length > 20_000) return [tooMany('ports', ports.length, 20_000)]
  const names = new Set<string>()
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const path = `ports[${index}]`
    const errors = name === '' ? [] : validateDnsLabel(name, `${path}.name`)
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name))
    names.add(name)
    return [
      ...errors,
      ...(isAbsent(protocol)
        ? [required(`${path}.protocol`)]
        : validateWord(protocol, protocols, `${path}.protocol`)),
      ...(isAbsent(appProtocol) ? [] : validateQualifiedName(appProtocol, `${path}.appProtocol`)),
    ]
  })
}

function validateEndpoints(endpoints: readonly View<Endpoint>[], addressType: string): FieldError[] {
  if (endpoints.length > 1000) return [tooMany('endpoints', endpoints.length, 1000)]
  return endpoints.flatMap((endpoint, index) =>
    validateEndpoint(endpoint, addressType, `endpoints[${index}]`),
  )
}

function validateEndpoint(endpoint: View<Endpoint>, addressType: string, path: string): FieldError[] {
  const { nodeName, hostname, hints, deprecatedTopology } = endpoint
  const addresses = endpoint.addresses ?? []
  const addressesPath = `${path}.addresses`
  const topologyPath = `${path}.deprecatedTopology`
  const topologySize = Object.keys(deprecatedTopology ?? {}).length
  return [
    ...(addresses.length === 0 ? [required(addressesPath, 'must contain at least 1 address')] : []),
    ...(addresses.length > 100 ? [tooMany(addressesPath, addresses.length, 100)] : []),
    ...addresses.flatMap((address, index) => validateAddress(address, addressType, addressesPath, index)),
    ...(isAbsent(nodeName) ? [] : invalidFor(`${path}.nodeName`, nodeName, subdomainName(nodeName, false))),
    ...(topologySize > 16 ? [tooMany(topologyPath, topologySize, 16)] : []),
    ...validateLabels(deprecatedTopology, topologyPath),
    ...(isAbsent(hostname) ? [] : validateDnsLabel(hostname, `${path}.hostname`)),
    ...(isAbsent(hints) ? [] : validateHints(hints, `${path}.hints`)),
  ]
}

function validateAddress(address: string, type: string, path: string, index: number): FieldError[] {
  const at = `${path}[${index}]`
  if (type === 'FQDN') return validateDomain(address, at)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const errors = type === 'IPv4' ? validateLegacyIp(address, at) : validateIp(address, at)
  if (errors.length > 0) return errors
  return [
    // The path is that of all addresses: so the server has it.
    ...(ipFamilyOf(address) === type ? [] : [invalid(path, address, `must be an ${type} address`)]),
    ...validateEndpointIp(address, at),
  ]
}

function validateDomain(name: string, path: string): FieldError[] {
  if (isBlank(name)) return [required(path)]
  const domain = name.replace(/[.]$/, '')
  const problems = dns1123SubdomainErrors(domain)
  if (problems.length > 0) return [invalid(path, domain, problems.join(','))]
  const labels = domain.split('.')
  if (labels.length < 2)
    return [invalid(path, domain, 'should be a domain with at least two segments separated by dots')]
  const wrong = labels.find((label) => dns1123LabelErrors(label).length > 0)
  return wrong === undefined ? [] : [invalid(path, wrong, dns1123LabelErrors(wrong).join(','))]
}

function validateHints({ forZones = [], forNodes = [] }: View<EndpointHints>, path: string): FieldError[] {
  const named = (
    hints: readonly { readonly name?: string | undefined }[],
    field: string,
    problemsOf: (name: string) => readonly string[],
  ): FieldError[] => {
    const names = hints.map(({ name = '' }) => name)
    return names.flatMap((name, index) => [
      ...(names.indexOf(name) < index ? [duplicate(`${path}.${field}[${index}].name`, name)] : []),
      ...invalidFor(`${path}.${field}[${index}].name`, name, problemsOf(name)),
    ])
  }
  if (forZones.length > 8) return [tooMany(`${path}.forZones`, forZones.length, 8)]
  const errors = named(forZones, 'forZones', labelValueErrors)
  if (forNodes.length > 8) return [...errors, tooMany(`${path}.forNodes`, forNodes.length, 8)]
  return [...errors, ...named(forNodes, 'forNodes', (name) => subdomainName(name, false))]
}
