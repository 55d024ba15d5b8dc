import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '../../../kinds/networking.k8s.io/v1.js'
import {
  isStrictSubnet,
  parseNetwork,
  portNameProblems,
  portNumberProblems,
  validateLegacyCidr,
} from '../address-rules.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidFor, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { isAbsent, isBlank } from '../value-rules.js'

export const networkPolicyRules: KindRules = {
  hasGeneration: true,
  defaults(draft) {
    const { spec = {} } = draftOf<NetworkPolicy>(draft)
    if ((spec.policyTypes ?? []).length === 0)
      spec.policyTypes = (spec.egress ?? []).length === 0 ? ['Ingress'] : ['Ingress', 'Egress']
    const ports = [...(spec.ingress ?? []), ...(spec.egress ?? [])].flatMap((rule) => rule.ports ?? [])
    for (const port of ports) port.protocol ??= 'TCP'
  },
  validateCreate: (object) => validateSpec(viewOf<NetworkPolicy>(object).spec ?? {}, new Set()),
  validateUpdate: (object, old) =>
    validateSpec(viewOf<NetworkPolicy>(object).spec ?? {}, cidrsOf(viewOf<NetworkPolicy>(old))),
}

const policyTypes = ['Ingress', 'Egress']

function validateSpec(spec: View<NetworkPolicySpec>, known: Known): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes: types = [] } = spec
  const errors = [
    ...validateLabelSelector(podSelector, 'spec.podSelector'),
    ...ingress.flatMap(({ ports = [], from = [] }, index) => [
      ...ports.flatMap((port, at) => validatePort(port, `spec.ingress[${index}].ports[${at}]`)),
      ...from.flatMap((peer, at) => validatePeer(peer, `spec.ingress[${index}].from[${at}]`, known)),
    ]),
    ...egress.flatMap(({ ports = [], to = [] }, index) => [
      ...ports.flatMap((port, at) => validatePort(port, `spec.egress[${index}].ports[${at}]`)),
      ...to.flatMap((peer, at) => validatePeer(peer, `spec.egress[${index}].to[${at}]`, known)),
    ]),
  ]
  if (types.length > policyTypes.length)
    return [...errors, invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')]
  return [
    ...errors,
    ...types.flatMap((type, index) =>
      policyTypes.includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, policyTypes)],
    ),
  ]
}

const protocols = ['TCP', 'UDP', 'SCTP']

function validatePort({ protocol, port, endPort }: View<NetworkPolicyPort>, path: string): FieldError[] {
  const errors: FieldError[] = []
  const endPath = `${path}.endPort`
  if (!isAbsent(protocol) && !protocols.includes(protocol))
    errors.push(notSupported(`${path}.protocol`, protocol, protocols))
  if (isAbsent(port)) {
    if (!isAbsent(endPort))
      errors.push(invalid(endPath, endPort, 'may not be specified when `port` is not specified'))
    return errors
  }
  if (typeof port === 'string') {
    if (!isAbsent(endPort))
      errors.push(invalid(endPath, endPort, 'may not be specified when `port` is non-numeric'))
    return [...errors, ...invalidFor(`${path}.port`, port, portNameProblems(port))]
  }
  errors.push(...invalidFor(`${path}.port`, port, portNumberProblems(port)))
  if (isAbsent(endPort)) return errors
  // The value in the message is that of the port: so the server has it.
  if (endPort < port) errors.push(invalid(endPath, port, 'must be greater than or equal to `port`'))
  return [...errors, ...invalidFor(endPath, endPort, portNumberProblems(endPort))]
}

function validatePeer(peer: View<NetworkPolicyPeer>, path: string, known: Known): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer
  const hasSelector = !isAbsent(podSelector) || !isAbsent(namespaceSelector)
  return [
    ...validateLabelSelector(podSelector, `${path}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(isAbsent(ipBlock) ? [] : validateBlock(ipBlock, `${path}.ipBlock`, known)),
    ...(hasSelector || !isAbsent(ipBlock) ? [] : [required(path, 'must specify a peer')]),
    ...(hasSelector && !isAbsent(ipBlock)
      ? [forbidden(path, 'may not specify both ipBlock and another peer')]
      : []),
  ]
}

function validateBlock({ cidr, except = [] }: View<IPBlock>, path: string, known: Known): FieldError[] {
  if (isBlank(cidr)) return [required(`${path}.cidr`)]
  const check = (text: string, at: string): FieldError[] =>
    known.has(text) ? [] : validateLegacyCidr(text, at)
  const errors = check(cidr, `${path}.cidr`)
  const network = parseNetwork(cidr)
  if (network === undefined) return errors
  for (const [index, text] of except.entries()) {
    const exceptPath = `${path}.except[${index}]`
    errors.push(...check(text, exceptPath))
    const inner = parseNetwork(text)
    if (inner !== undefined && !isStrictSubnet(inner, network))
      errors.push(invalid(exceptPath, text, 'must be a strict subset of `cidr`'))
  }
  return errors
}

/** Networks that are stored already may stay as they are. */
type Known = ReadonlySet<string>

function cidrsOf({ spec = {} }: View<NetworkPolicy>): Known {
  const peers = [
    ...(spec.ingress ?? []).flatMap(({ from = [] }) => from),
    ...(spec.egress ?? []).flatMap(({ to = [] }) => to),
  ]
  return new Set(peers.flatMap(({ ipBlock }) => [ipBlock?.cidr ?? '', ...(ipBlock?.except ?? [])]))
}
