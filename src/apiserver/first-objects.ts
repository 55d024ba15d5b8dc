import type { ManagedFieldsEntry } from '../objects/index.js'
import type { ApiObject, GroupResource } from './api-object.js'
import { bootstrapRoles } from './auth/bootstrap-roles.js'
import { serviceAddress, serviceCidr } from './builtin/core/service-allocation.js'
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

export interface FirstObjectsOptions {
  readonly store: Store
  readonly nature: Nature
  /** With the roles of RBAC, and who has them. */
  readonly hasRoles: boolean
  /** PEM of the authority that clients' certificates are signed by. */
  readonly authority: string
}

/** Writes what a cluster has from the beginning. What is there already stays as it is. */
export async function createFirstObjects(options: FirstObjectsOptions): Promise<void> {
  const { store, nature, hasRoles, authority } = options
  for (const name of namespaces) put({ store, nature }, 'namespaces', namespaceOf(name), { server: {} })
  put({ store, nature }, 'configmaps', tokenTracking(nature.timestamp()), {
    server: { 'f:data': { '.': {}, 'f:since': {} } },
  })
  put({ store, nature }, 'configmaps', clientAuthority(authority), {
    server: { 'f:data': { '.': {}, 'f:client-ca-file': {} } },
  })
  put({ store, nature }, 'servicecidrs.networking.k8s.io', serviceRangeOf(nature.timestamp()), {
    server: { 'f:spec': { 'f:cidrs': {} } },
    others: [serviceRangeReady],
  })
  for (const row of priorityClasses)
    put({ store, nature }, 'priorityclasses.scheduling.k8s.io', priorityClassOf(row), {
      server: { 'f:description': {}, 'f:preemptionPolicy': {}, 'f:value': {} },
    })
  for (const role of hasRoles ? await bootstrapRoles() : [])
    put({ store, nature }, `${plurals[role.kind] ?? ''}.rbac.authorization.k8s.io`, role, {
      server: {
        ...(role['aggregationRule'] !== undefined && {
          'f:aggregationRule': { '.': {}, 'f:clusterRoleSelectors': {} },
        }),
        ...(role['roleRef'] !== undefined && { 'f:roleRef': {} }),
        ...(role['rules'] !== undefined && { 'f:rules': {} }),
        ...(role['subjects'] !== undefined && { 'f:subjects': {} }),
      },
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

/** What a server that stands behind this one checks its clients by. */
const clientAuthority = (pem: string): ApiObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
  data: { 'client-ca-file': pem },
})

const serviceRangeOf = (now: string): ApiObject => ({
  kind: 'ServiceCIDR',
  apiVersion: 'networking.k8s.io/v1',
  metadata: { name: 'kubernetes' },
  spec: { cidrs: [serviceCidr] },
  status: {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        lastTransitionTime: now,
        reason: '',
        message: 'Kubernetes default Service CIDR is ready',
      },
    ],
  },
})

const serviceRangeReady: ManagedFieldsEntry = {
  manager: 'kubernetes-service-cidr-controller',
  operation: 'Apply',
  fieldsV1: {
    'f:status': {
      'f:conditions': {
        'k:{"type":"Ready"}': {
          '.': {},
          'f:lastTransitionTime': {},
          'f:message': {},
          'f:status': {},
          'f:type': {},
        },
      },
    },
  },
  subresource: 'status',
}

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
    server: {
      'f:spec': {
        'f:clusterIP': {},
        'f:internalTrafficPolicy': {},
        'f:ipFamilyPolicy': {},
        'f:ports': { '.': {}, 'k:{"port":443,"protocol":"TCP"}': ownPort },
        'f:sessionAffinity': {},
        'f:type': {},
      },
    },
  })
  await store.settled(store.revision)
}

/** Who manages the fields of an object. */
interface Managers {
  /** Those of the server, but for labels and annotations, which are all its own. */
  readonly server: Readonly<Record<string, unknown>>
  readonly others?: readonly ManagedFieldsEntry[]
}

/**
 * Writes an object as the verbs would leave it, but without them: their work on a hundred objects is most of the time
 * that a server needs to start.
 */
function put(
  { store, nature }: { readonly store: Store; readonly nature: Nature },
  resource: GroupResource,
  object: ApiObject,
  { server, others = [] }: Managers,
): void {
  const { namespace, name = '', labels, annotations } = object.metadata
  const key = namespace === undefined ? name : `${namespace}/${name}`
  if (store.get(resource, key) !== undefined) return
  const fields: Record<string, unknown> = { ...server }
  if (labels !== undefined || annotations !== undefined)
    fields['f:metadata'] = {
      ...(annotations !== undefined && { 'f:annotations': ownedKeys(annotations) }),
      ...(labels !== undefined && { 'f:labels': ownedKeys(labels) }),
    }
  fillSystemFields(object, nature)
  const own: ManagedFieldsEntry = {
    manager: 'kube-apiserver',
    operation: 'Update',
    fieldsV1: sorted(fields),
  }
  object.metadata.managedFields = [...others, own].map(
    ({ manager = '', operation = 'Update', fieldsV1 = {}, subresource }) => ({
      manager,
      operation,
      apiVersion: object.apiVersion,
      time: nature.timestamp(),
      fieldsType: 'FieldsV1',
      fieldsV1,
      ...(subresource !== undefined && { subresource }),
    }),
  )
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
