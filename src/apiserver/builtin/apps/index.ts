import type { GroupRules } from '../kind-rules.js'
import { controllerRevisionRules } from './controller-revision.js'
import { daemonSetRules } from './daemon-set.js'
import { deploymentRules } from './deployment.js'
import { replicaSetRules } from './replica-set.js'
import { statefulSetRules } from './stateful-set.js'

/** What is particular to the kinds of apps. */
export const appsRules: GroupRules = {
  ControllerRevision: controllerRevisionRules,
  DaemonSet: daemonSetRules,
  Deployment: deploymentRules,
  ReplicaSet: replicaSetRules,
  StatefulSet: statefulSetRules,
}
