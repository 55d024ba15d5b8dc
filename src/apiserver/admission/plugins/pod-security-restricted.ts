import {
  addedCapabilities,
  addingDetail,
  checkProcMount,
  checkSeccomp,
  containersOf,
  hasOwnUsers,
  isWindows,
  nameContainers,
  type PodUnderCheck,
  perContainer,
  plural,
  quoteAll,
  type SecurityCheck,
  settersOf,
  sorted,
  type Violation,
} from './pod-under-check.js'

const volumeTypes =
  'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' ')

function checkVolumes({ spec }: PodUnderCheck): Violation | undefined {
  const bad = (spec.volumes ?? []).filter(
    (volume) => !volumeTypes.some((type) => Object.hasOwn(volume, type)),
  )
  if (bad.length === 0) return undefined
  const types = new Set(bad.map((volume) => Object.keys(volume).find((key) => key !== 'name') ?? 'unknown'))
  const names = quoteAll(bad.map(({ name }) => name ?? ''))
  const uses = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'restricted volume types',
    detail: `${plural('volume', bad.length)} ${names} ${uses} ${plural('restricted volume type', types.size)} ${quoteAll(sorted(types))}`,
  }
}

function checkNonRoot(pod: PodUnderCheck): Violation | undefined {
  if (hasOwnUsers(pod)) return undefined
  const ofPod = pod.spec.securityContext?.runAsNonRoot
  const containers = containersOf(pod)
  const reason = 'runAsNonRoot != true'
  const setters = settersOf(
    ofPod === false,
    containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === false),
  )
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
  const silent = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined)
  if (ofPod === true || silent.length === 0) return undefined
  return { reason, detail: `pod or ${nameContainers(silent)} must set securityContext.runAsNonRoot=true` }
}

function checkUser(pod: PodUnderCheck): Violation | undefined {
  if (hasOwnUsers(pod)) return undefined
  const setters = settersOf(
    pod.spec.securityContext?.runAsUser === 0,
    containersOf(pod).filter(({ securityContext }) => securityContext?.runAsUser === 0),
  )
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
}

function checkCapabilities(pod: PodUnderCheck): Violation | undefined {
  if (isWindows(pod)) return undefined
  const keeping = containersOf(pod).filter(
    ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes('ALL'),
  )
  const { bad, added } = addedCapabilities(pod, new Set(['NET_BIND_SERVICE']))
  const details = [
    ...(keeping.length > 0
      ? [`${nameContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(bad.length > 0 ? [addingDetail(bad, added)] : []),
  ]
  if (details.length === 0) return undefined
  return { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

const escalation = perContainer(
  'allowPrivilegeEscalation != false',
  ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  'must set securityContext.allowPrivilegeEscalation=false',
)

/** What is asked for beyond the baseline, in the order of ids. */
export const restrictedChecks: readonly SecurityCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    since: 8,
    check: (pod) => (isWindows(pod) ? undefined : escalation(pod)),
  },
  {
    id: 'capabilities_restricted',
    since: 22,
    replaces: 'capabilities_baseline',
    check: checkCapabilities,
  },
  {
    id: 'procMount_restricted',
    since: 35,
    replaces: 'procMount',
    check: checkProcMount,
  },
  {
    id: 'restrictedVolumes',
    since: 0,
    replaces: 'hostPathVolumes',
    check: checkVolumes,
  },
  { id: 'runAsNonRoot', since: 0, check: checkNonRoot },
  { id: 'runAsUser', since: 23, check: checkUser },
  {
    id: 'seccompProfile_restricted',
    since: 19,
    replaces: 'seccompProfile_baseline',
    check: (pod) => (isWindows(pod) ? undefined : checkSeccomp(pod, true)),
  },
]
