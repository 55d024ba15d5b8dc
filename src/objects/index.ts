/**
 * The vocabulary of the Kubernetes API, without any I/O: kinds, metadata, keys, status and errors, requests.
 *
 * @module
 */
export {
  ApiError,
  type ApiErrorOptions,
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
export { compareResourceVersions } from './resource-version.js'
export { parseStatus, type Status, type StatusCause, type StatusDetails } from './status.js'
export type { Transport, TransportRequest, TransportResponse } from './transport.js'
