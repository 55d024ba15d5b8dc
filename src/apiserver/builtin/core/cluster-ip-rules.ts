import type { ServiceSpec } from '../../../kinds/core/v1.js'
import { ipFamilyOf, validateLegacyIp } from '../address-rules.js'
import type { View } from '../draft.js'
import { duplicate, type FieldError, invalid, itemPath, notSupported, required } from '../field-errors.js'
import { validateWord } from '../value-rules.js'
import { isExternalName, isHeadless } from './service-kinds.js'

type Spec = View<ServiceSpec>

const families = ['IPv4', 'IPv6']

/** What is wrong with the addresses of a service and their families. */
export function validateClusterIps(spec: Spec, old?: Spec): FieldError[] {
  if (isExternalName(spec)) return []
  const { clusterIP = '', ipFamilyPolicy } = spec
  const ips = spec.clusterIPs ?? []
  const path = 'spec.clusterIPs'
  const errors: FieldError[] = []
  if (clusterIP !== '') {
    if (ips.length === 0) errors.push(required(path))
    else if (ips[0] !== clusterIP) errors.push(invalid(path, ips, 'first value must match `clusterIP`'))
  } else if (ips.length > 0) {
    errors.push(invalid(path, ips, 'must be empty when `clusterIP` is not specified'))
  }
  const given = spec.ipFamilies ?? []
  for (const [index, family] of given.entries()) {
    const own = itemPath('spec.ipFamilies', index)
    if (!families.includes(family)) errors.push(notSupported(own, family, families))
    if (given.indexOf(family) < index) errors.push(duplicate(own, family))
  }
  if (ipFamilyPolicy !== undefined)
    errors.push(
      ...validateWord(
        ipFamilyPolicy,
        ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
        'spec.ipFamilyPolicy',
      ),
    )
  let areValid = true
  for (const [index, ip] of ips.entries()) {
    const found =
      index === 0 && ip === 'None'
        ? ips.length > 1
          ? [invalid(path, ips, "'None' must be the first and only value")]
          : []
        : old?.clusterIPs?.includes(ip) === true
          ? []
          : validateLegacyIp(ip, itemPath(path, index))
    areValid &&= found.length === 0
    errors.push(...found)
  }
  if (ips.length > 2) errors.push(invalid(path, ips, 'may only hold up to 2 values'))
  if (!areValid) return errors
  if (ips.length > 1 && new Set(ips.map(ipFamilyOf)).size !== 2)
    errors.push(invalid(path, ips, 'may specify no more than one IP for each IP family'))
  return isHeadless(spec) ? errors : [...errors, ...validateFamilies(ips, given)]
}

function validateFamilies(ips: readonly string[], given: readonly string[]): FieldError[] {
  return ips.flatMap((ip, index) => {
    const family = given[index]
    return family === undefined || !families.includes(family) || ipFamilyOf(ip) === family
      ? []
      : [
          invalid(
            itemPath('spec.clusterIPs', index),
            ip,
            `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
          ),
        ]
  })
}
