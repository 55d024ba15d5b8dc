import type { IPAddress, ServiceCIDR } from '../../../kinds/networking.k8s.io/v1.js'
import { dns1123SubdomainErrors } from '../../../objects/index.js'
import { goJson } from '../../../schema/internal.js'
import { ipFamilyOf, validateCidr, validateIp } from '../address-rules.js'
import { viewOf } from '../draft.js'
import { type FieldError, invalid, invalidAs, invalidFor, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { pathSegmentName } from '../name-rules.js'
import { isAbsent, isBlank, validateImmutable } from '../value-rules.js'
import { validateSegment } from './typed-reference.js'

export const ipAddressRules: KindRules = {
  nameProblems: (name) =>
    validateIp(name, '').map(({ message }) =>
      message.slice(message.indexOf(': ', 'Invalid value: '.length) + 2),
    ),
  validateCreate(object) {
    const parent = viewOf<IPAddress>(object).spec?.parentRef
    const path = 'spec.parentRef'
    if (isAbsent(parent)) return [required(path)]
    const { group, resource, name, namespace } = parent
    return [
      ...(isBlank(group) ? [] : invalidFor(`${path}.group`, group, dns1123SubdomainErrors(group))),
      ...validateSegment(resource, `${path}.resource`),
      ...validateSegment(name, `${path}.name`),
      ...(isBlank(namespace)
        ? []
        : invalidFor(`${path}.namespace`, namespace, pathSegmentName(namespace, false))),
    ]
  },
  validateUpdate: (object, old) =>
    validateImmutable(
      viewOf<IPAddress>(object).spec?.parentRef,
      viewOf<IPAddress>(old).spec?.parentRef,
      'spec.parentRef',
    ),
}

const cidrsPath = 'spec.cidrs'

export const serviceCidrRules: KindRules = {
  validateCreate: (object) => validateCidrs(viewOf<ServiceCIDR>(object).spec?.cidrs ?? []),
  validateUpdate(object, old) {
    const { cidrs = [] } = viewOf<ServiceCIDR>(object).spec ?? {}
    const { cidrs: before = [] } = viewOf<ServiceCIDR>(old).spec ?? {}
    const fixed = before.flatMap((cidr, index) =>
      cidr === cidrs[index] ? [] : [invalid(`${cidrsPath}[${index}]`, cidrs[index], 'field is immutable')],
    )
    if (before.length === cidrs.length) return fixed
    // A second family may be added, nothing else.
    return before.length === 1 && cidrs.length === 2
      ? [...fixed, ...validateCidrs(cidrs)]
      : [invalid(cidrsPath, cidrs, 'field is immutable')]
  },
}

function validateCidrs(cidrs: readonly string[]): FieldError[] {
  if (cidrs.length === 0) return [required(cidrsPath, 'at least one CIDR required')]
  if (cidrs.length > 2)
    return [invalidAs(cidrsPath, `{"CIDRs":${goJson(cidrs)}}`, 'may only hold up to 2 values')]
  const errors = cidrs.flatMap((cidr, index) => validateCidr(cidr, `${cidrsPath}[${index}]`))
  const [first, second] = cidrs.map((cidr) => ipFamilyOf(cidr.replace(/[/].*$/, '')))
  if (first !== undefined && first === second)
    errors.push(
      invalid(
        cidrsPath,
        cidrs,
        'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ),
    )
  return errors
}
