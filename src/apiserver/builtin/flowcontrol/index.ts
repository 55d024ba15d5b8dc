import type { GroupRules } from '../kind-rules.js'
import { flowSchemaRules } from './flow-schema.js'
import { priorityLevelRules } from './priority-level.js'

/** What is particular to the kinds of flowcontrol.apiserver.k8s.io. */
export const flowcontrolRules: GroupRules = {
  FlowSchema: flowSchemaRules,
  PriorityLevelConfiguration: priorityLevelRules,
}
