import type { PodDNSConfig, PodResourceClaim, PodSpec } from '../../../kinds/core/v1.js'
import { dns1123SubdomainErrors } from '../../../objects/index.js'
import { validateLegacyIp } from '../address-rules.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  itemPath,
  required,
  tooLong,
} from '../field-errors.js'
import { validateLabels } from '../metadata-rules.js'
import {
  validateDnsLabel,
  validateDnsSubdomain,
  validateQualifiedName,
  validateWord,
} from '../value-rules.js'
import { validateContainers } from './container-rules.js'
import { allContainers } from './containers-of.js'
import { validateFileKeyVolumes } from './env-rules.js'
import { validateOverhead, validatePodResources } from './resource-rules.js'
import { validateAffinity, validateSpread, validateTolerations } from './scheduling-rules.js'
import { validatePodSecurity } from './security-rules.js'
import { type VolumeOwner, validateVolumes } from './volume-rules.js'
import { validateHostProcess, validateOs } from './windows-rules.js'

const highestInt32 = 2_147_483_647

/** What is wrong with the spec of a pod or of a template, in the order in which the server looks. */
export function validatePodSpec(spec: View<PodSpec>, owner: VolumeOwner, path: string): FieldError[] {
  const volumes = validateVolumes(spec.volumes, owner, `${path}.volumes`)
  const claimNames = new Set((spec.resourceClaims ?? []).map(({ name = '' }) => name).filter(Boolean))
  return [
    ...(spec.terminationGracePeriodSeconds === undefined
      ? [required(`${path}.terminationGracePeriodSeconds`)]
      : []),
    ...volumes.errors,
    ...validateClaims(spec.resourceClaims, `${path}.resourceClaims`),
    ...validateContainers({ spec, volumes: volumes.valid, claimNames }, path),
    ...validatePodResources(spec, claimNames, path),
    ...validateHostNetworkPorts(spec, owner, path),
    ...validateWord(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`, ''),
    ...validateWord(
      spec.dnsPolicy,
      ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
      `${path}.dnsPolicy`,
      '',
    ),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurity(spec, `${path}.securityContext`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validateDns(spec.dnsConfig, spec.dnsPolicy, `${path}.dnsConfig`),
    ...validateEach(spec.readinessGates, `${path}.readinessGates`, ({ conditionType = '' }, own) =>
      validateQualifiedName(conditionType, `${own}.conditionType`),
    ),
    ...validateSchedulingGates(spec, `${path}.schedulingGates`),
    ...validateSpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path),
    ...validateHostname(spec, path),
    ...validateNames(spec, path),
    ...validateOs(spec, path),
    ...validateFileKeyVolumes(spec, path),
  ]
}

function validateNames(spec: View<PodSpec>, path: string): FieldError[] {
  const { activeDeadlineSeconds: deadline, preemptionPolicy, runtimeClassName } = spec
  const subdomain = (value: string | undefined, field: string): FieldError[] =>
    (value ?? '') === '' ? [] : validateDnsSubdomain(value ?? '', `${path}.${field}`)
  const label = (value: string | undefined, field: string): FieldError[] =>
    (value ?? '') === '' ? [] : validateDnsLabel(value ?? '', `${path}.${field}`)
  return [
    ...subdomain(spec.serviceAccountName, 'serviceAccountName'),
    ...subdomain(spec.nodeName, 'nodeName'),
    ...(deadline !== undefined && (deadline < 1 || deadline > highestInt32)
      ? [
          invalid(
            `${path}.activeDeadlineSeconds`,
            deadline,
            `must be between 1 and ${highestInt32}, inclusive`,
          ),
        ]
      : []),
    ...label(spec.hostname, 'hostname'),
    ...label(spec.subdomain, 'subdomain'),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...validateEach(spec.hostAliases, `${path}.hostAliases`, ({ ip = '', hostnames }, own) => [
      ...validateLegacyIp(ip, `${own}.ip`),
      ...validateEach(hostnames, `${own}.hostnames`, validateDnsSubdomain),
    ]),
    ...subdomain(spec.priorityClassName, 'priorityClassName'),
    ...(runtimeClassName === undefined
      ? []
      : validateDnsSubdomain(runtimeClassName, `${path}.runtimeClassName`)),
    ...(preemptionPolicy === undefined
      ? []
      : validateWord(preemptionPolicy, ['PreemptLowerPriority', 'Never'], `${path}.preemptionPolicy`, '')),
    ...(spec.overhead ? validateOverhead(spec.overhead, `${path}.overhead`) : []),
  ]
}

function validateClaims(claims: readonly View<PodResourceClaim>[] | undefined, path: string): FieldError[] {
  const seen = new Set<string>()
  return validateEach(claims, path, (claim, own) => {
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim
    const errors =
      name === ''
        ? [required(`${own}.name`)]
        : seen.has(name)
          ? [duplicate(`${own}.name`, name)]
          : validateDnsLabel(name, `${own}.name`)
    seen.add(name)
    // The server shows its own type here.
    const shown = {
      Name: name,
      ResourceClaimName: resourceClaimName ?? null,
      ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
    }
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      errors.push(
        invalid(
          own,
          shown,
          'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        ),
      )
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      errors.push(
        invalid(own, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'),
      )
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const value = claim[field]
      if (value !== undefined)
        errors.push(...invalidFor(`${own}.${field}`, value, dns1123SubdomainErrors(value)))
    }
    return errors
  })
}

function validateHostNetworkPorts(spec: View<PodSpec>, owner: VolumeOwner, path: string): FieldError[] {
  if (spec.hostNetwork !== true) return []
  return validateEach(spec.containers, `${path}.containers`, ({ ports }, own) =>
    validateEach(ports, `${own}.ports`, ({ hostPort = 0, containerPort = 0 }, portPath) =>
      hostPort === containerPort || (owner.isTemplate && hostPort === 0)
        ? []
        : [
            invalid(
              `${portPath}.hostPort`,
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ],
    ),
  )
}

function validateSchedulingGates({ schedulingGates }: View<PodSpec>, path: string): FieldError[] {
  const seen = new Set<string>()
  return validateEach(schedulingGates, path, ({ name = '' }, own) => {
    const isRepeated = seen.has(name)
    seen.add(name)
    return [...validateQualifiedName(name, own), ...(isRepeated ? [duplicate(own, name)] : [])]
  })
}

const searchLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const searchDomain = `${searchLabel}(\\.${searchLabel})*`
const searchRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchDomain}')`
const searchExpression = new RegExp(`^${searchDomain}$`)

function validateDns(
  config: View<PodDNSConfig> | undefined,
  policy: string | undefined,
  path: string,
): FieldError[] {
  const nameservers = config?.nameservers ?? []
  const searches = config?.searches ?? []
  if (policy === 'None') {
    if (!config) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    if (nameservers.length === 0)
      return [
        required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
      ]
  }
  return [
    ...(nameservers.length > 3
      ? [invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers')]
      : []),
    ...validateEach(nameservers, `${path}.nameservers`, validateLegacyIp),
    ...(searches.length > 32
      ? [invalid(`${path}.searches`, searches, 'must not have more than 32 search paths')]
      : []),
    ...(Buffer.byteLength(searches.join(' ')) > 2048
      ? [
          invalid(
            `${path}.searches`,
            searches,
            'must not have more than 2048 characters (including spaces) in the search list',
          ),
        ]
      : []),
    ...validateEach(searches, `${path}.searches`, (search, own) => {
      if (search === '.') return []
      const name = search.replace(/[.]$/, '')
      return [
        ...(Buffer.byteLength(name) > 253 ? [invalid(own, name, 'must be no more than 253 characters')] : []),
        ...(searchExpression.test(name) ? [] : [invalid(own, name, searchRule)]),
      ]
    }),
    ...(config?.options ?? []).flatMap(({ name = '' }, index) =>
      name === '' ? [required(itemPath(`${path}.options`, index), 'must not be empty')] : [],
    ),
  ]
}

function validateHostUsers(spec: View<PodSpec>, path: string): FieldError[] {
  if (spec.hostUsers !== false) return []
  const why = 'when `hostUsers` is false'
  return [
    ...(spec.hostNetwork === true ? [forbidden(`${path}.hostNetwork`, why)] : []),
    ...(spec.hostPID === true ? [forbidden(`${path}.HostPID`, why)] : []),
    ...(spec.hostIPC === true ? [forbidden(`${path}.HostIPC`, why)] : []),
    ...allContainers(spec, path).flatMap(({ container, path: own }) =>
      (container.volumeDevices ?? []).length > 0 ? [forbidden(`${own}.volumeDevices`, why)] : [],
    ),
  ]
}

function validateHostname(spec: View<PodSpec>, path: string): FieldError[] {
  const { hostnameOverride: name } = spec
  if (name === undefined) return []
  const own = `${path}.hostnameOverride`
  return [
    ...(spec.setHostnameAsFQDN === true
      ? [forbidden(own, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
    ...(spec.hostNetwork === true ? [forbidden(own, 'may not be specified when hostNetwork is true')] : []),
    ...(Buffer.byteLength(name) > 64 ? [tooLong(own, 64)] : []),
    ...validateDnsSubdomain(name, own),
  ]
}
