import type { ApiObject } from './api-object.js'
import { bootstrapRoles } from './auth/bootstrap-roles.js'
import type { SystemClient } from './cluster-state.js'
import { ApiFailure } from './failure.js'

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

const priorityClasses = [
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
]

/** What a cluster has from the beginning. What is there already stays as it is. */
export async function createFirstObjects(system: SystemClient, hasRoles: boolean): Promise<void> {
  for (const name of namespaces)
    await ensure(system, 'namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const { name, ...fields } of priorityClasses)
    await ensure(system, 'priorityclasses.scheduling.k8s.io', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      ...fields,
    })
  if (!hasRoles) return
  for (const object of await bootstrapRoles()) {
    await ensure(system, `${plurals[object.kind] ?? ''}.rbac.authorization.k8s.io`, object)
  }
}

const plurals: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
}

/** The service by which pods reach the server itself. */
export async function createServerService(system: SystemClient, port: number): Promise<void> {
  const labels = { component: 'apiserver', provider: 'kubernetes' }
  await ensure(system, 'services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels },
    spec: {
      clusterIP: '10.0.0.1',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }],
      type: 'ClusterIP',
    },
  })
}

async function ensure(system: SystemClient, resource: string, object: ApiObject): Promise<void> {
  const { namespace = '', name = '' } = object.metadata
  if (system.get(resource, namespace, name) !== undefined) return
  try {
    await system.create(resource, object)
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status.code === 409)) throw error
  }
}
