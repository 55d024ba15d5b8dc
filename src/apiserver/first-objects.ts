import type { ApiObject, GroupResource } from './api-object.js'
import { bootstrapRoles } from './auth/bootstrap-roles.js'
import { serviceAddress } from './builtin/core/service-allocation.js'
import type { Nature } from './cluster-state.js'
import type { Store } from './store/store.js'
import { fillSystemFields, orderMetadata } from './write/object-metadata.js'

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

/** Writes what a cluster has from the beginning. What is there already stays as it is. */
export async function createFirstObjects(store: Store, nature: Nature, hasRoles: boolean): Promise<void> {
  for (const name of namespaces) put({ store, nature }, 'namespaces', namespaceOf(name), {})
  put({ store, nature }, 'configmaps', tokenTracking(nature.timestamp()), {
    'f:data': { '.': {}, 'f:since': {} },
  })
  for (const row of priorityClasses)
    put({ store, nature }, 'priorityclasses.scheduling.k8s.io', priorityClassOf(row), {
      'f:description': {},
      'f:preemptionPolicy': {},
      'f:value': {},
    })
  for (const role of hasRoles ? await bootstrapRoles() : [])
    put({ store, nature }, `${plurals[role.kind] ?? ''}.rbac.authorization.k8s.io`, role, {
      ...(role['aggregationRule'] !== undefined && {
        'f:aggregationRule': { '.': {}, 'f:clusterRoleSelectors': {} },
      }),
      ...(role['roleRef'] !== undefined && { 'f:roleRef': {} }),
      ...(role['rules'] !== undefined && { 'f:rules': {} }),
      ...(role['subjects'] !== undefined && { 'f:subjects': {} }),
    })
  await store.settled(store.revision)
}

const namespaceOf = (name: string): ApiObject => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
})

/** Since when it is known which of the old tokens of service accounts are still used. */
const tokenTracking = (now: string): ApiObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'kube-apiserver-legacy-service-account-token-tracking', namespace: 'kube-system' },
  data: { since: now.slice(0, now.indexOf('T')) },
})

const priorityClassOf = ({ name, ...fields }: (typeof priorityClasses)[number]): ApiObject => ({
  kind: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  metadata: { name, generation: 1 },
  ...fields,
  preemptionPolicy: 'PreemptLowerPriority',
})

const plurals: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
}

/** Writes the service by which pods reach the server itself, if it is not there. */
export async function createServerService(store: Store, nature: Nature, port: number): Promise<void> {
  const service: ApiObject = {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      clusterIP: serviceAddress(1),
      clusterIPs: [serviceAddress(1)],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  }
  const ownPort = { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {}, 'f:targetPort': {} }
  put({ store, nature }, 'services', service, {
    'f:spec': {
      'f:clusterIP': {},
      'f:internalTrafficPolicy': {},
      'f:ipFamilyPolicy': {},
      'f:ports': { '.': {}, 'k:{"port":443,"protocol":"TCP"}': ownPort },
      'f:sessionAffinity': {},
      'f:type': {},
    },
  })
  await store.settled(store.revision)
}

/**
 * Writes an object as the verbs would leave it, but without them: their work on a hundred objects is most of the time
 * that a server needs to start.
 *
 * @param owned the fields outside its metadata that the server is the manager of
 */
function put(
  { store, nature }: { readonly store: Store; readonly nature: Nature },
  resource: GroupResource,
  object: ApiObject,
  owned: Readonly<Record<string, unknown>>,
): void {
  const { namespace, name = '', labels, annotations } = object.metadata
  const key = namespace === undefined ? name : `${namespace}/${name}`
  if (store.get(resource, key) !== undefined) return
  const fields: Record<string, unknown> = { ...owned }
  if (labels !== undefined || annotations !== undefined)
    fields['f:metadata'] = {
      ...(annotations !== undefined && { 'f:annotations': ownedKeys(annotations) }),
      ...(labels !== undefined && { 'f:labels': ownedKeys(labels) }),
    }
  fillSystemFields(object, nature)
  object.metadata.managedFields = [
    {
      manager: 'kube-apiserver',
      operation: 'Update',
      apiVersion: object.apiVersion,
      time: nature.timestamp(),
      fieldsType: 'FieldsV1',
      fieldsV1: sorted(fields),
    },
  ]
  orderMetadata(object)
  store.put(resource, key, object, 0)
}

const ownedKeys = (map: Readonly<Record<string, string>>): Record<string, unknown> => {
  const keys: Record<string, unknown> = { '.': {} }
  for (const key of Object.keys(map).sort()) keys[`f:${key}`] = {}
  return keys
}

function sorted(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(fields).sort()) result[name] = fields[name]
  return result
}
