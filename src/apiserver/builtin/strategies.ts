import { admissionregistrationRules } from './admissionregistration/index.js'
import { apiregistrationRules } from './apiregistration.js'
import { appsRules } from './apps/index.js'
import { autoscalingRules } from './autoscaling/index.js'
import { batchRules } from './batch/index.js'
import { certificatesRules } from './certificates.js'
import { coordinationRules } from './coordination.js'
import { coreRules } from './core/index.js'
import { discoveryRules } from './discovery.js'
import { eventsRules } from './events.js'
import { flowcontrolRules } from './flowcontrol/index.js'
import type { KindRules } from './kind-rules.js'
import { networkingRules } from './networking/index.js'
import { nodeRules } from './node.js'
import { policyRules } from './policy.js'
import { rbacRules } from './rbac.js'
import { resourceRules } from './resource.js'
import { schedulingRules } from './scheduling.js'
import { storageRules } from './storage/index.js'

/**
 * What is particular to built-in kinds, by `Kind.group` (`Pod`, `Deployment.apps`). Groups are added below: one file for
 * each, which exports its rules by kind.
 */
const groups: Readonly<Record<string, Readonly<Record<string, KindRules>>>> = {
  '': coreRules,
  'admissionregistration.k8s.io': admissionregistrationRules,
  'apiregistration.k8s.io': apiregistrationRules,
  apps: appsRules,
  autoscaling: autoscalingRules,
  batch: batchRules,
  'certificates.k8s.io': certificatesRules,
  'coordination.k8s.io': coordinationRules,
  'discovery.k8s.io': discoveryRules,
  'events.k8s.io': eventsRules,
  'flowcontrol.apiserver.k8s.io': flowcontrolRules,
  'networking.k8s.io': networkingRules,
  'node.k8s.io': nodeRules,
  policy: policyRules,
  'rbac.authorization.k8s.io': rbacRules,
  'resource.k8s.io': resourceRules,
  'scheduling.k8s.io': schedulingRules,
  'storage.k8s.io': storageRules,
}

/** What is particular to a built-in kind; nothing for many. */
export function rulesOf(group: string, kind: string): KindRules {
  return groups[group]?.[kind] ?? {}
}
