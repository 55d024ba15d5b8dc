import type { DeepReadonly } from '../../base/index.js'
import type { StoredApiObject } from '../api-object.js'
import { convertAutoscaler } from '../builtin/autoscaling/convert-autoscaler.js'
import type { TableLayout } from '../resource.js'
import { certificateSigningRequestCells, roleBindingCells } from './access.js'
import { mutatingPolicyCells, policyBindingCells, validatingPolicyCells, webhookCells } from './admission.js'
import { type Cells, nameOf } from './cell-text.js'
import {
  apiServiceCells,
  componentStatusCells,
  flowSchemaCells,
  leaseCells,
  namespaceCells,
  nodeCells,
  priorityClassCells,
  priorityLevelCells,
  runtimeClassCells,
} from './cluster.js'
import { builtinColumns, defaultColumns } from './columns.js'
import { configMapCells, resourceQuotaCells, secretCells, serviceAccountCells } from './configuration.js'
import { deviceClassCells, resourceClaimCells, resourceSliceCells } from './devices.js'
import { coreEventCells, eventCells } from './events.js'
import {
  endpointSliceCells,
  endpointsCells,
  ingressCells,
  ingressClassCells,
  ipAddressCells,
  networkPolicyCells,
  serviceCells,
  serviceCidrCells,
} from './network.js'
import { podCells, podConditions, podTemplateCells } from './pods.js'
import { autoscalerCells, disruptionBudgetCells, scaleCells } from './scaling.js'
import {
  csiDriverCells,
  csiNodeCells,
  persistentVolumeCells,
  persistentVolumeClaimCells,
  storageClassCells,
  volumeAttachmentCells,
  volumeAttributesClassCells,
} from './storage.js'
import {
  controllerRevisionCells,
  cronJobCells,
  daemonSetCells,
  deploymentCells,
  jobCells,
  replicaSetCells,
  replicationControllerCells,
  statefulSetCells,
} from './workloads.js'

/** What every kind is shown with that has no columns of its own: its name and the time of its creation. */
export const defaultTable: TableLayout = {
  columns: defaultColumns,
  cells: (object) => [nameOf(object), object.metadata.creationTimestamp ?? null],
}

const printers: Readonly<Record<string, Cells>> = {
  ComponentStatus: cellsOf(componentStatusCells),
  ConfigMap: cellsOf(configMapCells),
  Endpoints: cellsOf(endpointsCells),
  Event: cellsOf(coreEventCells),
  Namespace: cellsOf(namespaceCells),
  Node: cellsOf(nodeCells),
  PersistentVolume: cellsOf(persistentVolumeCells),
  PersistentVolumeClaim: cellsOf(persistentVolumeClaimCells),
  Pod: cellsOf(podCells),
  PodTemplate: cellsOf(podTemplateCells),
  ReplicationController: cellsOf(replicationControllerCells),
  ResourceQuota: cellsOf(resourceQuotaCells),
  Secret: cellsOf(secretCells),
  Service: cellsOf(serviceCells),
  ServiceAccount: cellsOf(serviceAccountCells),
  'APIService.apiregistration.k8s.io': cellsOf(apiServiceCells),
  'CSIDriver.storage.k8s.io': cellsOf(csiDriverCells),
  'CSINode.storage.k8s.io': cellsOf(csiNodeCells),
  'CertificateSigningRequest.certificates.k8s.io': cellsOf(certificateSigningRequestCells),
  'ClusterRoleBinding.rbac.authorization.k8s.io': cellsOf(roleBindingCells),
  'ControllerRevision.apps': cellsOf(controllerRevisionCells),
  'CronJob.batch': cellsOf(cronJobCells),
  'DaemonSet.apps': cellsOf(daemonSetCells),
  'Deployment.apps': cellsOf(deploymentCells),
  'DeviceClass.resource.k8s.io': cellsOf(deviceClassCells),
  'EndpointSlice.discovery.k8s.io': cellsOf(endpointSliceCells),
  'Event.events.k8s.io': cellsOf(eventCells),
  'FlowSchema.flowcontrol.apiserver.k8s.io': cellsOf(flowSchemaCells),
  // Of either version: it is shown as the second.
  'HorizontalPodAutoscaler.autoscaling': (object, now) =>
    cellsOf(autoscalerCells)(convertAutoscaler(object, 'v2'), now),
  'IPAddress.networking.k8s.io': cellsOf(ipAddressCells),
  'Ingress.networking.k8s.io': cellsOf(ingressCells),
  'IngressClass.networking.k8s.io': cellsOf(ingressClassCells),
  'Job.batch': cellsOf(jobCells),
  'Lease.coordination.k8s.io': cellsOf(leaseCells),
  'MutatingAdmissionPolicy.admissionregistration.k8s.io': cellsOf(mutatingPolicyCells),
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io': cellsOf(policyBindingCells),
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': cellsOf(webhookCells),
  'NetworkPolicy.networking.k8s.io': cellsOf(networkPolicyCells),
  'PodDisruptionBudget.policy': cellsOf(disruptionBudgetCells),
  'PriorityClass.scheduling.k8s.io': cellsOf(priorityClassCells),
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': cellsOf(priorityLevelCells),
  'ReplicaSet.apps': cellsOf(replicaSetCells),
  'ResourceClaim.resource.k8s.io': cellsOf(resourceClaimCells),
  'ResourceClaimTemplate.resource.k8s.io': cellsOf(deviceClassCells),
  'ResourceSlice.resource.k8s.io': cellsOf(resourceSliceCells),
  'RoleBinding.rbac.authorization.k8s.io': cellsOf(roleBindingCells),
  'RuntimeClass.node.k8s.io': cellsOf(runtimeClassCells),
  'Scale.autoscaling': cellsOf(scaleCells),
  'ServiceCIDR.networking.k8s.io': cellsOf(serviceCidrCells),
  'StatefulSet.apps': cellsOf(statefulSetCells),
  'StorageClass.storage.k8s.io': cellsOf(storageClassCells),
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': cellsOf(validatingPolicyCells),
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': cellsOf(policyBindingCells),
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': cellsOf(webhookCells),
  'VolumeAttachment.storage.k8s.io': cellsOf(volumeAttachmentCells),
  'VolumeAttributesClass.storage.k8s.io': cellsOf(volumeAttributesClassCells),
}

// An object of a built-in kind is decoded by the schema of that kind, and shown only under its own kind's key.
function cellsOf<T>(cells: Cells<T>): Cells {
  return (object, now) => cells(object as DeepReadonly<T>, now)
}

/** How `kubectl get` shows a built-in kind; the core group is the empty text. */
export function builtinTable(group: string, kind: string): TableLayout {
  const key = group === '' ? kind : `${kind}.${group}`
  const cells = printers[key]
  const columns = builtinColumns[key]
  if (cells === undefined || columns === undefined) return defaultTable
  return { columns, cells, ...(key === 'Pod' && { conditions: conditionsOfPod }) }
}

function conditionsOfPod(object: StoredApiObject): readonly unknown[] {
  return podConditions(object as Parameters<typeof podConditions>[0])
}
