import type { WriteCall } from './write-call.js'

/** Resources of the core that have another name in etcd than in paths. */
const storageNames: Readonly<Record<string, string>> = {
  nodes: 'minions',
  services: 'services/specs',
  endpoints: 'services/endpoints',
  replicationcontrollers: 'controllers',
}

/** Groups of built-in kinds that etcd keeps without their name. */
const plainGroups: ReadonlySet<string> = new Set([
  '',
  'apps',
  'batch',
  'autoscaling',
  'policy',
  'rbac.authorization.k8s.io',
  'networking.k8s.io',
  'storage.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'admissionregistration.k8s.io',
  'scheduling.k8s.io',
  'node.k8s.io',
  'flowcontrol.apiserver.k8s.io',
])

/** The key of the request's object as the real server has it in etcd: some texts show it. */
export function storageKeyText({ resource, info }: Pick<WriteCall, 'resource' | 'info'>): string {
  const { group, plural } = resource
  const name = (group === '' ? storageNames[plural] : undefined) ?? plural
  const folder = !resource.isCustom && plainGroups.has(group) ? name : `${group}/${name}`
  const namespace = resource.scope === 'Namespaced' ? `${info.namespace}/` : ''
  return `/registry/${folder}/${namespace}${info.name}`
}
