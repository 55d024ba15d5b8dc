import type { Container, PodSpec } from '../../../kinds/core/v1.js'
import { quoteText } from '../../../schema/index.js'
import type { View } from '../../builtin/draft.js'

/** A pod as the standards look at it. */
export interface PodUnderCheck {
  readonly annotations: Readonly<Record<string, string | undefined>>
  readonly spec: View<PodSpec>
  /** Of the standards that are asked for. */
  readonly minor: number
}

/** What a pod does that it should not: in one word, and in all detail. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

export interface SecurityCheck {
  readonly id: string
  readonly level: 'baseline' | 'restricted'
  /** The first minor version whose standards have it. */
  readonly since: number
  /** The checks of the baseline that it takes the place of. */
  readonly replaces?: string
  readonly check: (pod: PodUnderCheck) => Violation | undefined
}

type AnyContainer = View<Container>

const quoteAll = (items: Iterable<string>): string => `"${[...items].join('", "')}"`
const sorted = (items: ReadonlySet<string>): readonly string[] => [...items].sort()
const plural = (word: string, count: number): string => (count === 1 ? word : `${word}s`)

function containersOf({ spec }: PodUnderCheck): readonly AnyContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
}

/** `container "a"`, `containers "a", "b"`. */
function nameContainers(containers: readonly AnyContainer[]): string {
  return `${plural('container', containers.length)} ${quoteAll(containers.map(({ name }) => name ?? ''))}`
}

/** The pod and the containers that set something, as a text; empty if none does. */
function settersOf(isPod: boolean, containers: readonly AnyContainer[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [nameContainers(containers)] : [])].join(
    ' and ',
  )
}

const isWindows = ({ spec, minor }: PodUnderCheck): boolean => minor >= 25 && spec.os?.name === 'windows'
const hasOwnUsers = ({ spec, minor }: PodUnderCheck): boolean => minor >= 35 && spec.hostUsers === false

/** A check of containers one by one. */
function perContainer(
  reason: string,
  isBad: (container: AnyContainer) => boolean,
  must: string,
): (pod: PodUnderCheck) => Violation | undefined {
  return (pod) => {
    const bad = containersOf(pod).filter(isBad)
    return bad.length === 0 ? undefined : { reason, detail: `${nameContainers(bad)} ${must}` }
  }
}

const baseCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
)

/** The capabilities that containers add beyond those allowed, and which containers do. */
function addedCapabilities(
  pod: PodUnderCheck,
  allowed: ReadonlySet<string>,
): { readonly bad: readonly AnyContainer[]; readonly added: ReadonlySet<string> } {
  const added = new Set<string>()
  const bad = containersOf(pod).filter((container) => {
    const beyond = (container.securityContext?.capabilities?.add ?? []).filter((each) => !allowed.has(each))
    for (const each of beyond) added.add(each)
    return beyond.length > 0
  })
  return { bad, added }
}

function addingDetail(bad: readonly AnyContainer[], added: ReadonlySet<string>): string {
  return `${nameContainers(bad)} must not include ${quoteAll(sorted(added))} in securityContext.capabilities.add`
}

function checkAppArmor(pod: PodUnderCheck): Violation | undefined {
  const { spec, annotations } = pod
  const values = new Set<string>()
  const isBad = (type: string | undefined): boolean => {
    if (type === undefined || type === 'RuntimeDefault' || type === 'Localhost') return false
    values.add(type)
    return true
  }
  const isPod = isBad(spec.securityContext?.appArmorProfile?.type)
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.appArmorProfile?.type))
  const keyPrefix = 'container.apparmor.security.beta.kubernetes.io/'
  const wrong = Object.entries(annotations)
    .filter(([key, value = '']) => {
      const isFine = value === '' || value === 'runtime/default' || value.startsWith('localhost/')
      return key.startsWith(keyPrefix) && !isFine
    })
    .map(([key, value = '']) => `${key}=${quoteText(value)}`)
    .sort()
  const setters = [
    ...(isPod || bad.length > 0 ? [settersOf(isPod, bad)] : []),
    ...(wrong.length > 0 ? [plural('annotation', wrong.length)] : []),
  ]
  if (setters.length === 0) return undefined
  const all = [...sorted(values), ...wrong]
  return {
    reason: plural('forbidden AppArmor profile', all.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoteAll(all)}`,
  }
}

function checkHostNamespaces({ spec }: PodUnderCheck): Violation | undefined {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true)
  if (used.length === 0) return undefined
  return { reason: 'host namespaces', detail: used.map((field) => `${field}=true`).join(', ') }
}

function checkHostPaths({ spec }: PodUnderCheck): Violation | undefined {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined)
  if (bad.length === 0) return undefined
  const names = quoteAll(bad.map(({ name }) => name ?? ''))
  return { reason: 'hostPath volumes', detail: `${plural('volume', bad.length)} ${names}` }
}

function checkHostPorts(pod: PodUnderCheck): Violation | undefined {
  const ports = new Set<string>()
  const bad = containersOf(pod).filter((container) => {
    const used = (container.ports ?? []).filter(({ hostPort = 0 }) => hostPort !== 0)
    for (const { hostPort } of used) ports.add(String(hostPort))
    return used.length > 0
  })
  if (bad.length === 0) return undefined
  const uses = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'hostPort',
    detail: `${nameContainers(bad)} ${uses} ${plural('hostPort', ports.size)} ${sorted(ports).join(', ')}`,
  }
}

function checkHosts(pod: PodUnderCheck): Violation | undefined {
  const hosts = new Set<string>()
  const bad = containersOf(pod).filter(({ livenessProbe, readinessProbe, startupProbe, lifecycle }) => {
    const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
    const used = handlers
      .flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''])
      .filter((host) => host !== '')
    for (const host of used) hosts.add(host)
    return used.length > 0
  })
  if (bad.length === 0) return undefined
  const names = quoteAll(sorted(new Set(bad.map(({ name }) => name ?? ''))))
  const uses = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'probe or lifecycle host',
    detail: `${plural('container', bad.length)} ${names} ${uses} ${plural('probe or lifecycle host', hosts.size)} ${quoteAll(sorted(hosts))}`,
  }
}

function checkProcMount(pod: PodUnderCheck): Violation | undefined {
  const types = new Set<string>()
  const bad = containersOf(pod).filter(({ securityContext }) => {
    const type = securityContext?.procMount
    if (type === undefined || type === 'Default') return false
    types.add(type)
    return true
  })
  if (bad.length === 0) return undefined
  const detail = `${nameContainers(bad)} must not set securityContext.procMount to ${quoteAll(sorted(types))}`
  return { reason: 'procMount', detail }
}

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

const labelTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']

function checkSeLinux(pod: PodUnderCheck): Violation | undefined {
  const allowed = pod.minor >= 31 ? [...labelTypes, 'container_engine_t'] : labelTypes
  const types = new Set<string>()
  let hasUser = false
  let hasRole = false
  const isBad = (options: NonNullable<AnyContainer['securityContext']>['seLinuxOptions']): boolean => {
    if (options === undefined) return false
    const { type = '', user = '', role = '' } = options
    if (!allowed.includes(type)) types.add(type)
    hasUser ||= user !== ''
    hasRole ||= role !== ''
    return !allowed.includes(type) || user !== '' || role !== ''
  }
  const isPod = isBad(pod.spec.securityContext?.seLinuxOptions)
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions))
  const setters = settersOf(isPod, bad)
  if (setters === '') return undefined
  const data = [
    ...(types.size > 0 ? [`${plural('type', types.size)} ${quoteAll(sorted(types))}`] : []),
    ...(hasUser ? ['user may not be set'] : []),
    ...(hasRole ? ['role may not be set'] : []),
  ]
  return {
    reason: 'seLinuxOptions',
    detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
  }
}

function checkSeccomp(pod: PodUnderCheck, isRequired: boolean): Violation | undefined {
  const values = new Set<string>()
  const isBad = (type: string | undefined): boolean => {
    if (type === undefined || type === 'Localhost' || type === 'RuntimeDefault') return false
    values.add(type)
    return true
  }
  const ofPod = pod.spec.securityContext?.seccompProfile
  const isPod = isBad(ofPod?.type)
  const containers = containersOf(pod)
  const bad = containers.filter(({ securityContext }) => isBad(securityContext?.seccompProfile?.type))
  const setters = settersOf(isPod, bad)
  const reason = 'seccompProfile'
  if (setters !== '')
    return {
      reason,
      detail: `${setters} must not set securityContext.seccompProfile.type to ${quoteAll(sorted(values))}`,
    }
  const silent = containers.filter(({ securityContext }) => securityContext?.seccompProfile === undefined)
  if (!isRequired || ofPod !== undefined || silent.length === 0) return undefined
  return {
    reason,
    detail: `pod or ${nameContainers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  }
}

const sysctls: readonly (readonly [since: number, names: string])[] = [
  [
    0,
    'kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range net.ipv4.ip_unprivileged_port_start',
  ],
  [27, 'net.ipv4.ip_local_reserved_ports'],
  [
    29,
    'net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes',
  ],
  [32, 'net.ipv4.tcp_rmem net.ipv4.tcp_wmem'],
]

function checkSysctls({ spec, minor }: PodUnderCheck): Violation | undefined {
  const allowed = new Set(
    sysctls.filter(([since]) => minor >= since).flatMap(([, names]) => names.split(' ')),
  )
  const bad = (spec.securityContext?.sysctls ?? [])
    .map(({ name = '' }) => name)
    .filter((name) => !allowed.has(name))
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') }
}

function checkHostProcess(pod: PodUnderCheck): Violation | undefined {
  const setters = settersOf(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    containersOf(pod).filter(({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true),
  )
  if (setters === '') return undefined
  return {
    reason: 'hostProcess',
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  }
}

function checkBaseCapabilities(pod: PodUnderCheck): Violation | undefined {
  const { bad, added } = addedCapabilities(pod, baseCapabilities)
  if (bad.length === 0) return undefined
  return { reason: 'non-default capabilities', detail: addingDetail(bad, added) }
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
const privilegedContainers = perContainer(
  'privileged',
  ({ securityContext }) => securityContext?.privileged === true,
  'must not set securityContext.privileged=true',
)

/** All checks, the baseline first, each level in the order of ids: the order of the server's messages. */
export const securityChecks: readonly SecurityCheck[] = [
  { id: 'appArmorProfile', level: 'baseline', since: 0, check: checkAppArmor },
  { id: 'capabilities_baseline', level: 'baseline', since: 0, check: checkBaseCapabilities },
  { id: 'hostNamespaces', level: 'baseline', since: 0, check: checkHostNamespaces },
  { id: 'hostPathVolumes', level: 'baseline', since: 0, check: checkHostPaths },
  { id: 'hostPorts', level: 'baseline', since: 0, check: checkHostPorts },
  { id: 'hostProbesAndHostLifecycle', level: 'baseline', since: 34, check: checkHosts },
  { id: 'privileged', level: 'baseline', since: 0, check: privilegedContainers },
  {
    id: 'procMount',
    level: 'baseline',
    since: 0,
    check: (pod) => (hasOwnUsers(pod) ? undefined : checkProcMount(pod)),
  },
  { id: 'seLinuxOptions', level: 'baseline', since: 0, check: checkSeLinux },
  { id: 'seccompProfile_baseline', level: 'baseline', since: 19, check: (pod) => checkSeccomp(pod, false) },
  { id: 'sysctls', level: 'baseline', since: 0, check: checkSysctls },
  { id: 'windowsHostProcess', level: 'baseline', since: 0, check: checkHostProcess },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    since: 8,
    check: (pod) => (isWindows(pod) ? undefined : escalation(pod)),
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    since: 22,
    replaces: 'capabilities_baseline',
    check: checkCapabilities,
  },
  {
    id: 'procMount_restricted',
    level: 'restricted',
    since: 35,
    replaces: 'procMount',
    check: checkProcMount,
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    since: 0,
    replaces: 'hostPathVolumes',
    check: checkVolumes,
  },
  { id: 'runAsNonRoot', level: 'restricted', since: 0, check: checkNonRoot },
  { id: 'runAsUser', level: 'restricted', since: 23, check: checkUser },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    since: 19,
    replaces: 'seccompProfile_baseline',
    check: (pod) => (isWindows(pod) ? undefined : checkSeccomp(pod, true)),
  },
]
