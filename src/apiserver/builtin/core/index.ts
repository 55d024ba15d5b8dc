import type { GroupRules } from '../kind-rules.js'
import { configMapRules } from './config-map.js'
import { endpointsRules } from './endpoints.js'
import { eventRules } from './event.js'
import { limitRangeRules } from './limit-range.js'
import { namespaceRules } from './namespace.js'
import { nodeRules } from './node.js'
import { persistentVolumeRules } from './persistent-volume.js'
import { persistentVolumeClaimRules } from './persistent-volume-claim.js'
import { podRules } from './pod.js'
import { podTemplateRules } from './pod-template.js'
import { replicationControllerRules } from './replication-controller.js'
import { resourceQuotaRules } from './resource-quota.js'
import { secretRules } from './secret.js'
import { serviceRules } from './service.js'
import { serviceAccountRules } from './service-account.js'

/** What is particular to the kinds of the core group. */
export const coreRules: GroupRules = {
  ComponentStatus: { deprecationWarning: 'v1 ComponentStatus is deprecated in v1.19+' },
  ConfigMap: configMapRules,
  Endpoints: endpointsRules,
  Event: eventRules,
  LimitRange: limitRangeRules,
  Namespace: namespaceRules,
  Node: nodeRules,
  PersistentVolume: persistentVolumeRules,
  PersistentVolumeClaim: persistentVolumeClaimRules,
  Pod: podRules,
  PodTemplate: podTemplateRules,
  ReplicationController: replicationControllerRules,
  ResourceQuota: resourceQuotaRules,
  Secret: secretRules,
  Service: serviceRules,
  ServiceAccount: serviceAccountRules,
}
