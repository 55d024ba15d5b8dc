/** The built-in resources of the suite: where they are served, and whether they live in namespaces. */
const namespaced: Readonly<Record<string, string>> = {
  ...served('/api/v1', [
    'bindings',
    'configmaps',
    'endpoints',
    'events',
    'limitranges',
    'persistentvolumeclaims',
    'pods',
    'podtemplates',
    'replicationcontrollers',
    'resourcequotas',
    'secrets',
    'serviceaccounts',
    'services',
  ]),
  ...served('/apis/apps/v1', [
    'controllerrevisions',
    'daemonsets',
    'deployments',
    'replicasets',
    'statefulsets',
  ]),
  ...served('/apis/batch/v1', ['cronjobs', 'jobs']),
  ...served('/apis/autoscaling/v2', ['horizontalpodautoscalers']),
  ...served('/apis/policy/v1', ['poddisruptionbudgets']),
  ...served('/apis/networking.k8s.io/v1', ['ingresses', 'networkpolicies']),
  ...served('/apis/rbac.authorization.k8s.io/v1', ['roles', 'rolebindings']),
  ...served('/apis/coordination.k8s.io/v1', ['leases']),
  ...served('/apis/discovery.k8s.io/v1', ['endpointslices']),
  ...served('/apis/storage.k8s.io/v1', ['csistoragecapacities']),
  ...served('/apis/authorization.k8s.io/v1', ['localsubjectaccessreviews']),
  ...served('/apis/resource.k8s.io/v1', ['resourceclaims', 'resourceclaimtemplates']),
}

const clusterScoped: Readonly<Record<string, string>> = {
  ...served('/api/v1', ['namespaces', 'nodes', 'persistentvolumes']),
  ...served('/apis/apiextensions.k8s.io/v1', ['customresourcedefinitions']),
  ...served('/apis/rbac.authorization.k8s.io/v1', ['clusterroles', 'clusterrolebindings']),
  ...served('/apis/storage.k8s.io/v1', ['storageclasses', 'csidrivers', 'csinodes', 'volumeattachments']),
  ...served('/apis/scheduling.k8s.io/v1', ['priorityclasses']),
  ...served('/apis/node.k8s.io/v1', ['runtimeclasses']),
  ...served('/apis/networking.k8s.io/v1', ['ingressclasses', 'ipaddresses', 'servicecidrs']),
  ...served('/apis/apiregistration.k8s.io/v1', ['apiservices']),
  ...served('/apis/certificates.k8s.io/v1', ['certificatesigningrequests']),
  ...served('/apis/flowcontrol.apiserver.k8s.io/v1', ['flowschemas', 'prioritylevelconfigurations']),
  ...served('/apis/resource.k8s.io/v1', ['deviceclasses', 'resourceslices']),
  ...served('/apis/authentication.k8s.io/v1', ['tokenreviews', 'selfsubjectreviews']),
  ...served('/apis/authorization.k8s.io/v1', [
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ]),
  ...served('/apis/admissionregistration.k8s.io/v1', [
    'mutatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'validatingwebhookconfigurations',
  ]),
}

/** The custom resources that all cases share, by plural or `plural.version`; see shared-kinds.ts. */
const customVersions: Readonly<Record<string, string>> = {
  widgets: 'v1',
  gizmos: 'v1',
  'gizmos.v1beta1': 'v1beta1',
  'gizmos.v1alpha1': 'v1alpha1',
}

function served(prefix: string, resources: readonly string[]): Record<string, string> {
  return Object.fromEntries(resources.map((resource) => [resource, prefix]))
}

/** The paths of all cluster-scoped collections that cases may put something into. */
export const clusterScopedPaths: readonly string[] = Object.entries(clusterScoped)
  .filter(([resource]) => !resource.endsWith('reviews'))
  .map(([resource, prefix]) => `${prefix}/${resource}`)

interface Place {
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined
  /** Of the shared custom resources. */
  readonly group: string
}

/**
 * The path of a resource that the suite knows; `rest` is a name, with a subresource and a query if wanted. Throws for
 * a resource that it does not know: a case names such a path itself.
 */
export function resourcePath(resource: string, { namespace, group }: Place, rest: string): string {
  const [plural = resource] = resource.split('.')
  const tail = rest === '' || rest.startsWith('?') ? `${plural}${rest}` : `${plural}/${rest}`
  if (resource === 'gadgets') return `/apis/${group}/v1/${tail}`
  const globalPrefix = clusterScoped[resource]
  if (globalPrefix !== undefined) return `${globalPrefix}/${tail}`
  const custom = customVersions[resource]
  const prefix = custom === undefined ? namespaced[resource] : `/apis/${group}/${custom}`
  if (prefix === undefined) throw new Error(`paths.ts does not know the resource ${resource}`)
  return namespace === undefined ? `${prefix}/${tail}` : `${prefix}/namespaces/${namespace}/${tail}`
}
