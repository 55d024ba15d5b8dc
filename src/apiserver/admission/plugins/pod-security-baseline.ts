import { quoteText } from '../../../schema/index.js'
import {
  type AnyContainer,
  addedCapabilities,
  addingDetail,
  checkProcMount,
  checkSeccomp,
  containersOf,
  hasOwnUsers,
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

const baseCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
)

function checkBaseCapabilities(pod: PodUnderCheck): Violation | undefined {
  const { bad, added } = addedCapabilities(pod, baseCapabilities)
  if (bad.length === 0) return undefined
  return { reason: 'non-default capabilities', detail: addingDetail(bad, added) }
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

const privilegedContainers = perContainer(
  'privileged',
  ({ securityContext }) => securityContext?.privileged === true,
  'must not set securityContext.privileged=true',
)

/** What the baseline asks for, in the order of ids. */
export const baselineChecks: readonly SecurityCheck[] = [
  { id: 'appArmorProfile', since: 0, check: checkAppArmor },
  { id: 'capabilities_baseline', since: 0, check: checkBaseCapabilities },
  { id: 'hostNamespaces', since: 0, check: checkHostNamespaces },
  { id: 'hostPathVolumes', since: 0, check: checkHostPaths },
  { id: 'hostPorts', since: 0, check: checkHostPorts },
  { id: 'hostProbesAndHostLifecycle', since: 34, check: checkHosts },
  { id: 'privileged', since: 0, check: privilegedContainers },
  {
    id: 'procMount',
    since: 0,
    check: (pod) => (hasOwnUsers(pod) ? undefined : checkProcMount(pod)),
  },
  { id: 'seLinuxOptions', since: 0, check: checkSeLinux },
  { id: 'seccompProfile_baseline', since: 19, check: (pod) => checkSeccomp(pod, false) },
  { id: 'sysctls', since: 0, check: checkSysctls },
  { id: 'windowsHostProcess', since: 0, check: checkHostProcess },
]
