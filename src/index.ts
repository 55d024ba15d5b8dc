/**
 * kubewright: Kubernetes operators in TypeScript.
 *
 * This facade lists what an operator's own code uses. Everything underneath is public too, behind doors of its own:
 * `kubewright/client`, `kubewright/cache`, `kubewright/queue`, `kubewright/controller`, `kubewright/manager`,
 * `kubewright/schema`, `kubewright/objects`, `kubewright/observe`, `kubewright/testing` and, for each API group version,
 * `kubewright/kinds/<group>/<version>`.
 *
 * @module
 */
export type { DeepReadonly } from './base/index.js'
export { isKubewrightError, KubewrightError } from './base/index.js'
export {
  type Client,
  type ClientOptions,
  type ClusterConfig,
  crdEstablished,
  createClient,
  deleted,
  deploymentAvailable,
  hasCondition,
  jobComplete,
  loadClusterConfig,
  podReady,
  retryOnConflict,
  type WatchEvent,
  waitFor,
} from './client/index.js'
export {
  type Access,
  access,
  again,
  allOf,
  annotationsChanged,
  anyOf,
  type Cause,
  type ControllerDefinition,
  createApplier,
  createEventRecorder,
  createOrUpdate,
  defineController,
  describeCause,
  type EventRecorder,
  generationChanged,
  labelsChanged,
  not,
  type Outcome,
  type Predicate,
  type ReconcileContext,
  type RunRecord,
  resourceVersionChanged,
  settled,
  subresourceAccess,
  TerminalError,
  watch,
} from './controller/index.js'
export {
  type AnyKind,
  ApiError,
  type Condition,
  controllerOf,
  edit,
  findCondition,
  formatKey,
  type InputOf,
  isAlreadyExists,
  isApiError,
  isApplyConflict,
  isConditionTrue,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  type Kind,
  type KubeObject,
  keyOf,
  type NamespacedObjectMeta,
  type ObjectMeta,
  type ObjectMetaInput,
  type ObjectOf,
  type OwnerReference,
  ownerReferenceTo,
  parseKey,
  setCondition,
  setControllerReference,
} from './objects/index.js'
export { createLogger, type Logger, type LogLevel } from './observe/index.js'
export { defineOperator, installKinds, type Operator, runOperator } from './operator/index.js'
export {
  atomic,
  cel,
  defineKind,
  embeddedResource,
  type FieldError,
  intOrString,
  listMap,
  listSet,
  loadValidator,
  preserveUnknownFields,
  quantity,
  structural,
  toCrd,
} from './schema/index.js'
