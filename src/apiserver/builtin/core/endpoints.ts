import { deepEqual } from '../../../base/index.js'
import type { EndpointAddress, EndpointPort, Endpoints } from '../../../kinds/core/v1.js'
import { portNumberProblems, validateEndpointIp, validateLegacyIp } from '../address-rules.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, invalidFor, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import {
  validateDnsLabel,
  validateDnsSubdomain,
  validateQualifiedName,
  validateWord,
} from '../value-rules.js'

export const endpointsRules: KindRules = {
  allowsCreateOnUpdate: true,
  deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  defaults(draft) {
    for (const { ports } of draftOf<Endpoints>(draft).subsets ?? [])
      for (const port of ports ?? []) port.protocol ??= 'TCP'
  },
  validateCreate: (object) => validateSubsets(viewOf<Endpoints>(object)),
  validateUpdate: (object, old) =>
    deepEqual(object['subsets'], old['subsets']) ? [] : validateSubsets(viewOf<Endpoints>(object)),
}

function validateSubsets({ subsets }: View<Endpoints>): FieldError[] {
  return validateEach(subsets, 'subsets', ({ addresses, notReadyAddresses, ports }, own) => [
    ...((addresses ?? []).length === 0 && (notReadyAddresses ?? []).length === 0
      ? [required(own, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...validateEach(addresses, `${own}.addresses`, validateAddress),
    ...validateEach(notReadyAddresses, `${own}.notReadyAddresses`, validateAddress),
    ...validateEach(ports, `${own}.ports`, (port, portPath) =>
      validatePort(port, portPath, (ports ?? []).length > 1),
    ),
  ])
}

function validateAddress(address: View<EndpointAddress>, path: string): FieldError[] {
  const { ip = '', hostname = '', nodeName } = address
  return [
    ...validateLegacyIp(ip, `${path}.ip`),
    ...(hostname === '' ? [] : validateDnsLabel(hostname, `${path}.hostname`)),
    ...(nodeName === undefined ? [] : validateDnsSubdomain(nodeName, `${path}.nodeName`)),
    ...validateEndpointIp(ip, `${path}.ip`),
  ]
}

function validatePort(port: View<EndpointPort>, path: string, needsName: boolean): FieldError[] {
  const { name = '', port: number = 0, protocol, appProtocol } = port
  return [
    ...(name !== '' ? validateDnsLabel(name, `${path}.name`) : needsName ? [required(`${path}.name`)] : []),
    ...invalidFor(`${path}.port`, number, portNumberProblems(number)),
    ...validateWord(protocol, ['SCTP', 'TCP', 'UDP'], `${path}.protocol`, ''),
    ...(appProtocol === undefined ? [] : validateQualifiedName(appProtocol, `${path}.appProtocol`)),
  ]
}
