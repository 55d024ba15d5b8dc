import type { Strategy } from '../resource.js'

type Checks = NonNullable<Strategy['metadataChecks']>

const wholeThenChange: Checks = ['whole', 'change']
const changeThenWhole: Checks = ['change', 'whole']
const whole: Checks = ['whole']

/** By kind; all others check the change alone. */
const checks: Readonly<Record<string, Checks>> = {
  CSINode: whole,
  CSIStorageCapacity: wholeThenChange,
  CertificateSigningRequest: wholeThenChange,
  ClusterRole: wholeThenChange,
  ClusterRoleBinding: wholeThenChange,
  ConfigMap: changeThenWhole,
  ControllerRevision: changeThenWhole,
  DeviceClass: wholeThenChange,
  EndpointSlice: whole,
  Endpoints: changeThenWhole,
  FlowSchema: whole,
  IPAddress: wholeThenChange,
  Ingress: changeThenWhole,
  IngressClass: changeThenWhole,
  Job: wholeThenChange,
  LimitRange: whole,
  MutatingAdmissionPolicy: whole,
  MutatingAdmissionPolicyBinding: whole,
  MutatingWebhookConfiguration: whole,
  Namespace: wholeThenChange,
  Node: ['whole', 'change', 'whole'],
  PersistentVolume: ['whole', 'whole'],
  PersistentVolumeClaim: changeThenWhole,
  Pod: changeThenWhole,
  PodDisruptionBudget: [],
  PriorityLevelConfiguration: whole,
  ResourceClaim: wholeThenChange,
  ResourceClaimTemplate: wholeThenChange,
  Role: wholeThenChange,
  RoleBinding: wholeThenChange,
  RuntimeClass: wholeThenChange,
  Secret: changeThenWhole,
  ServiceAccount: changeThenWhole,
  StatefulSet: wholeThenChange,
  StorageClass: wholeThenChange,
  ValidatingAdmissionPolicy: whole,
  ValidatingAdmissionPolicyBinding: whole,
  ValidatingWebhookConfiguration: whole,
  VolumeAttachment: whole,
  VolumeAttributesClass: changeThenWhole,
}

/**
 * What an update of a built-in kind checks of the metadata beyond what all updates check: each repeats some of it, and
 * the answer repeats what is wrong.
 */
export function metadataChecksOf(kind: string): Checks {
  return Object.hasOwn(checks, kind) ? (checks[kind] ?? justChange) : justChange
}

const justChange: Checks = ['change']
