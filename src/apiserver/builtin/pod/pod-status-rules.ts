import type { ContainerStatus, Pod, PodSpec } from '../../../kinds/core/v1.js'
import { ipFamilyOf, validateLegacyIp } from '../address-rules.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import { duplicate, type FieldError, forbidden, invalid, itemPath } from '../field-errors.js'
import { validateDnsSubdomain, validateImmutable, validateQualifiedName } from '../value-rules.js'
import { validateAnnotationChanges, validatePodAnnotations } from './pod-annotations.js'

/** What is wrong with what a kubelet or a scheduler says of a pod. */
export function validatePodStatus(pod: View<Pod>, old: View<Pod>): FieldError[] {
  const { metadata, spec = {}, status = {} } = pod
  const { status: oldStatus = {} } = old
  const nominated = status.nominatedNodeName ?? ''
  const isNewNomination = nominated !== (oldStatus.nominatedNodeName ?? '') && nominated !== ''
  return [
    ...validateAnnotationChanges(metadata?.annotations, old.metadata?.annotations, 'metadata.annotations'),
    ...validatePodAnnotations(metadata?.annotations, spec, 'metadata.annotations'),
    ...validateEach(status.conditions, 'status.conditions', ({ type = '', observedGeneration = 0 }, own) => [
      ...(observedGeneration < 0
        ? [invalid(`${own}.observedGeneration`, observedGeneration, 'must be a non-negative integer')]
        : []),
      ...(['PodScheduled', 'Ready', 'Initialized'].includes(type)
        ? []
        : validateQualifiedName(type, `${own}.Type`)),
    ]),
    ...(isNewNomination ? validateDnsSubdomain(nominated, 'status.nominatedNodeName') : []),
    ...(isNewNomination && (old.spec?.nodeName ?? '') !== ''
      ? [forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node')]
      : []),
    ...((status.observedGeneration ?? 0) < 0
      ? [invalid('status.observedGeneration', status.observedGeneration, 'must be a non-negative integer')]
      : []),
    ...validateImmutable(status.qosClass ?? '', oldStatus.qosClass ?? '', 'status.qosClass'),
    ...validateTransitions(pod, old, 'containerStatuses', 'containers'),
    ...validateTransitions(pod, old, 'initContainerStatuses', 'initContainers'),
    ...validateTransitions(pod, old, 'ephemeralContainerStatuses', undefined),
    ...validateClaimStatuses(pod),
    ...validateIps(
      (status.podIPs ?? []).map(({ ip = '' }) => ip),
      (oldStatus.podIPs ?? []).map(({ ip = '' }) => ip),
      'status.podIPs',
    ),
    ...validateHostIps(status, oldStatus),
  ]
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'

/** A container that ended for good does not run again. */
function validateTransitions(
  { status }: View<Pod>,
  old: View<Pod>,
  list: StatusList,
  containers: 'containers' | 'initContainers' | undefined,
): FieldError[] {
  const spec = old.spec ?? {}
  if (containers !== undefined && restartsAll(spec)) return []
  return validateEach(old.status?.[list], `status.${list}`, (before, own) => {
    const exit = before.state?.terminated
    const now = (status?.[list] ?? []).find(({ name }) => name === before.name)
    if (!exit || now === undefined || now.state?.terminated) return []
    return containers !== undefined && mayRestart(spec, containers, before)
      ? []
      : [forbidden(`${own}.state`, 'may not be transitioned to non-terminated state')]
  })
}

function restartsAll({ containers, initContainers }: View<PodSpec>): boolean {
  return [...(containers ?? []), ...(initContainers ?? [])].some(({ restartPolicyRules }) =>
    (restartPolicyRules ?? []).some(({ action }) => action === 'RestartAllContainers'),
  )
}

function mayRestart(
  spec: View<PodSpec>,
  list: 'containers' | 'initContainers',
  { name, state }: View<ContainerStatus>,
): boolean {
  const container = (spec[list] ?? []).find((one) => one.name === name)
  if (container === undefined) return false
  const code = state?.terminated?.exitCode ?? 0
  for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
    const isListed = (exitCodes?.values ?? []).includes(code)
    const isMatch = exitCodes !== undefined && (exitCodes.operator === 'In' ? isListed : !isListed)
    if (isMatch && action === 'Restart') return true
  }
  const policy = container.restartPolicy ?? spec.restartPolicy
  return policy === 'Always' || (policy === 'OnFailure' && code !== 0)
}

function validateClaimStatuses({ spec, status }: View<Pod>): FieldError[] {
  const seen = new Set<string>()
  return validateEach(status?.resourceClaimStatuses, 'status.resourceClaimStatuses', (claim, own) => {
    const { name = '', resourceClaimName } = claim
    const isRepeated = seen.has(name)
    seen.add(name)
    return [
      ...((spec?.resourceClaims ?? []).some((wanted) => wanted.name === name)
        ? []
        : [invalid(`${own}.name`, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(isRepeated ? [duplicate(`${own}.name`, name)] : []),
      ...(resourceClaimName === undefined
        ? []
        : validateDnsSubdomain(resourceClaimName, `${own}.resourceClaimName`)),
    ]
  })
}

function validateIps(ips: readonly string[], old: readonly string[], path: string): FieldError[] {
  const errors = ips.flatMap((ip, index) =>
    old.includes(ip) ? [] : validateLegacyIp(ip, itemPath(path, index)),
  )
  const families = new Set(ips.map(ipFamilyOf))
  if (ips.length > 1 && (families.size !== 2 || ips.length > 2)) {
    // The server shows its own type here.
    const shown = ips.map((ip) => ({ IP: ip }))
    errors.push(invalid(path, shown, 'may specify no more than one IP for each IP family'))
  }
  return errors
}

function validateHostIps(
  status: NonNullable<View<Pod>['status']>,
  old: NonNullable<View<Pod>['status']>,
): FieldError[] {
  const ips = (status.hostIPs ?? []).map(({ ip = '' }) => ip)
  const [first] = ips
  if (first === undefined) return []
  return [
    ...(first === (status.hostIP ?? '')
      ? []
      : [invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')]),
    ...validateIps(
      ips,
      (old.hostIPs ?? []).map(({ ip = '' }) => ip),
      'status.hostIPs',
    ),
  ]
}
