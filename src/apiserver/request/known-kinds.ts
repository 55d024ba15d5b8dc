import type { TypeMeta } from './parse-body.js'

/**
 * The kinds that the server's Go code knows, served or not: a body of one of them is refused for what it is, any other
 * for being unknown. A star stands for the list of the kind, which is one too.
 */
const kindsByVersion: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'admission.k8s.io/v1': 'AdmissionReview',
    'admission.k8s.io/v1beta1': 'AdmissionReview',
    'admissionregistration.k8s.io/v1':
      'ValidatingWebhookConfiguration* MutatingWebhookConfiguration* ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding* MutatingAdmissionPolicy* MutatingAdmissionPolicyBinding*',
    'admissionregistration.k8s.io/v1alpha1':
      'ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding* MutatingAdmissionPolicy* MutatingAdmissionPolicyBinding*',
    'admissionregistration.k8s.io/v1beta1':
      'ValidatingWebhookConfiguration* MutatingWebhookConfiguration* ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding* MutatingAdmissionPolicy* MutatingAdmissionPolicyBinding*',
    'internal.apiserver.k8s.io/v1alpha1': 'StorageVersion*',
    'apps/v1': 'Deployment* StatefulSet* DaemonSet* ReplicaSet* ControllerRevision*',
    'apps/v1beta1': 'Deployment* DeploymentRollback Scale StatefulSet* ControllerRevision*',
    'apps/v1beta2': 'Deployment* Scale StatefulSet* DaemonSet* ReplicaSet* ControllerRevision*',
    'authentication.k8s.io/v1': 'TokenReview TokenRequest SelfSubjectReview',
    'authentication.k8s.io/v1alpha1': 'SelfSubjectReview',
    'authentication.k8s.io/v1beta1': 'SelfSubjectReview TokenReview',
    'authorization.k8s.io/v1':
      'SelfSubjectRulesReview SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview',
    'authorization.k8s.io/v1beta1':
      'SelfSubjectRulesReview SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview',
    'autoscaling/v1': 'HorizontalPodAutoscaler* Scale',
    'autoscaling/v2': 'HorizontalPodAutoscaler*',
    'batch/v1': 'Job* CronJob*',
    'batch/v1beta1': 'CronJob*',
    'certificates.k8s.io/v1': 'CertificateSigningRequest*',
    'certificates.k8s.io/v1alpha1': 'ClusterTrustBundle*',
    'certificates.k8s.io/v1beta1': 'CertificateSigningRequest* ClusterTrustBundle* PodCertificateRequest*',
    'coordination.k8s.io/v1': 'Lease*',
    'coordination.k8s.io/v1alpha2': 'LeaseCandidate*',
    'coordination.k8s.io/v1beta1': 'Lease* LeaseCandidate*',
    v1: 'Pod* PodStatusResult PodTemplate* ReplicationController* Service* ServiceProxyOptions Endpoints* Node* NodeProxyOptions Binding Event* List LimitRange* ResourceQuota* Namespace* Secret* ServiceAccount* PersistentVolume* PersistentVolumeClaim* PodAttachOptions PodLogOptions PodExecOptions PodPortForwardOptions PodProxyOptions ComponentStatus* SerializedReference RangeAllocation ConfigMap*',
    'discovery.k8s.io/v1': 'EndpointSlice*',
    'discovery.k8s.io/v1beta1': 'EndpointSlice*',
    'events.k8s.io/v1': 'Event*',
    'events.k8s.io/v1beta1': 'Event*',
    'extensions/v1beta1':
      'Deployment* DeploymentRollback Scale DaemonSet* Ingress* ReplicaSet* NetworkPolicy*',
    'flowcontrol.apiserver.k8s.io/v1': 'FlowSchema* PriorityLevelConfiguration*',
    'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema* PriorityLevelConfiguration*',
    'flowcontrol.apiserver.k8s.io/v1beta2': 'FlowSchema* PriorityLevelConfiguration*',
    'flowcontrol.apiserver.k8s.io/v1beta3': 'FlowSchema* PriorityLevelConfiguration*',
    'imagepolicy.k8s.io/v1alpha1': 'ImageReview',
    'networking.k8s.io/v1': 'Ingress* IngressClass* NetworkPolicy* IPAddress* ServiceCIDR*',
    'networking.k8s.io/v1beta1': 'Ingress* IngressClass* IPAddress* ServiceCIDR*',
    'node.k8s.io/v1': 'RuntimeClass*',
    'node.k8s.io/v1alpha1': 'RuntimeClass*',
    'node.k8s.io/v1beta1': 'RuntimeClass*',
    'policy/v1': 'PodDisruptionBudget* Eviction',
    'policy/v1beta1': 'PodDisruptionBudget* Eviction',
    'rbac.authorization.k8s.io/v1': 'Role* RoleBinding* ClusterRole* ClusterRoleBinding*',
    'rbac.authorization.k8s.io/v1alpha1': 'Role* RoleBinding* ClusterRole* ClusterRoleBinding*',
    'rbac.authorization.k8s.io/v1beta1': 'Role* RoleBinding* ClusterRole* ClusterRoleBinding*',
    'resource.k8s.io/v1': 'DeviceClass* ResourceClaim* ResourceClaimTemplate* ResourceSlice*',
    'resource.k8s.io/v1alpha3': 'DeviceTaintRule* ResourcePoolStatusRequest*',
    'resource.k8s.io/v1beta1': 'DeviceClass* ResourceClaim* ResourceClaimTemplate* ResourceSlice*',
    'resource.k8s.io/v1beta2':
      'DeviceClass* DeviceTaintRule* ResourceClaim* ResourceClaimTemplate* ResourceSlice*',
    'scheduling.k8s.io/v1': 'PriorityClass*',
    'scheduling.k8s.io/v1alpha2': 'Workload* PodGroup*',
    'scheduling.k8s.io/v1beta1': 'PriorityClass*',
    'storage.k8s.io/v1':
      'StorageClass* VolumeAttachment* CSINode* CSIDriver* CSIStorageCapacity* VolumeAttributesClass*',
    'storage.k8s.io/v1alpha1': 'VolumeAttachment* CSIStorageCapacity* VolumeAttributesClass*',
    'storage.k8s.io/v1beta1':
      'StorageClass* VolumeAttachment* CSIDriver* CSINode* CSIStorageCapacity* VolumeAttributesClass*',
    'storagemigration.k8s.io/v1beta1': 'StorageVersionMigration*',
    'apiextensions.k8s.io/v1': 'CustomResourceDefinition* ConversionReview',
    'apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition* ConversionReview',
    'apiregistration.k8s.io/v1': 'APIService*',
    'apiregistration.k8s.io/v1beta1': 'APIService*',
  }),
)

/** These belong to no version. */
export const unversioned: readonly string[] = [
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
]

/** These are in every version. */
const options: readonly string[] = [
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
]

/** The type in Go that a kind is: those that are everywhere are one and the same. */
export function goTypeOf({ version, kind }: TypeMeta): string {
  return `${unversioned.includes(kind) || options.includes(kind) ? 'v1' : version}.${kind}`
}

/** CRDs and API services are served by programs of their own within the server, which know nothing else. */
const separateGroups: readonly string[] = ['apiextensions.k8s.io', 'apiregistration.k8s.io']

const schemeOf = (group: string): string => (separateGroups.includes(group) ? group : '')

/** Whether the code that serves a group knows a kind at all. */
export function isKnownKind({ group, version, kind }: TypeMeta, servedGroup: string): boolean {
  if (unversioned.includes(kind)) return true
  if (schemeOf(group) !== schemeOf(servedGroup)) return false
  const kinds = kindsByVersion.get(group === '' ? version : `${group}/${version}`)
  if (kinds === undefined) return false
  const names = kinds.split(' ')
  const isList = kind.endsWith('List') && names.includes(`${kind.slice(0, -'List'.length)}*`)
  return isList || names.includes(kind) || names.includes(`${kind}*`) || options.includes(kind)
}
