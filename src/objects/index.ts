/**
 * The vocabulary of the Kubernetes API, without any I/O: kinds, metadata, keys, status and errors, requests.
 *
 * @module
 */
export {
  ApiError,
  type ApiErrorOf,
  type ApiErrorOptions,
  type ApiErrorTest,
  isAlreadyExists,
  isApiError,
  isApplyConflict,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNamespaceTerminating,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceVersionTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from './api-error.js'
export {
  type Condition,
  type ConditionInput,
  type ConditionStatus,
  findCondition,
  InvalidConditionError,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.js'
export { edit } from './edit.js'
export {
  escapeFieldValue,
  type FieldRequirement,
  FieldSelectorError,
  type FieldSelectorInput,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
} from './field-selector.js'
export {
  type AnyKind,
  apiVersionOf,
  type GroupVersionKind,
  type InputFor,
  type InputOf,
  type KeyOf,
  type Kind,
  type ObjectOf,
  parseApiVersion,
  resourceNameOf,
  type Scope,
} from './kind.js'
export {
  formatLabelSelector,
  type LabelRequirement,
  type LabelSelector,
  LabelSelectorError,
  type LabelSelectorExpression,
  type LabelSelectorInput,
  matchesLabels,
  parseLabelSelector,
} from './label-selector.js'
export type {
  KubeList,
  KubeObject,
  ListMeta,
  ManagedFieldsEntry,
  NamespacedObjectMeta,
  ObjectMeta,
  ObjectMetaInput,
  OwnerReference,
} from './metadata.js'
export {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  generateName,
  labelKeyErrors,
  labelValueErrors,
} from './names.js'
export { formatKey, InvalidKeyError, keyOf, type ObjectKey, parseKey } from './object-key.js'
export {
  AlreadyControlledError,
  controllerOf,
  type Dependent,
  InvalidOwnerError,
  isOwnedBy,
  type Owner,
  type OwnerReferenceOptions,
  ownerReferenceTo,
  setControllerReference,
  setOwnerReference,
} from './owner-references.js'
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  InvalidQuantityError,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  type QuantityInput,
  quantityToInteger,
  subtractQuantities,
} from './quantity.js'
export {
  type ApiRequest,
  buildRequest,
  describeRequest,
  IncompleteTargetError,
  InvalidPathSegmentError,
  type RequestParts,
  type RequestTarget,
  type Verb,
} from './request.js'
export {
  type DeleteParameters,
  deleteBody,
  type ListParameters,
  listQuery,
  type QueryParameters,
  type SelectionParameters,
  selectionQuery,
  type WatchParameters,
  type WriteParameters,
  watchQuery,
  writeQuery,
} from './request-parameters.js'
export { compareResourceVersions } from './resource-version.js'
export { parseStatus, type Status, type StatusCause, type StatusDetails } from './status.js'
export { formatMicroTime, formatTime, InvalidTimeError, parseTime } from './time.js'
export type { Transport, TransportRequest, TransportResponse } from './transport.js'
