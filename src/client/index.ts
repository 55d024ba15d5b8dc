/**
 * Talking to an API server: transport, typed client, watch, discovery.
 *
 * @module
 */

export type { ExecOptions } from './auth/exec-credentials.js'
export { ExecPluginError, type ExecPluginFailure } from './auth/exec-plugin-error.js'
export type { ExecPolicy } from './auth/exec-policy.js'
export { OidcError } from './auth/oidc-error.js'
export { RedirectError, UnexpectedResponseError, UnknownOutcomeError } from './call-errors.js'
export type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  MetadataOption,
  PagesOptions,
  WatchOptions,
  WriteOptions,
} from './call-options.js'
export type { Client, NamespacedKey, RawRequest } from './client.js'
export type {
  ClusterConfig,
  CredentialSource,
  Credentials,
  Impersonation,
  ServerTrust,
} from './config/cluster-config.js'
export {
  ClusterConfigInvalidError,
  ClusterConfigMissingError,
  type ConfigProblem,
} from './config/config-errors.js'
export { createClusterConfig } from './config/create-cluster-config.js'
export type { Environment } from './config/kubeconfig-files.js'
export { type LoadClusterConfigOptions, loadClusterConfig } from './config/load-cluster-config.js'
export type { ClusterConfigOverrides } from './config/overrides.js'
export type { Selection } from './config/select-context.js'
export { ConfigFileError } from './config/text-file.js'
export { type KubeconfigDocument, type KubeconfigOptions, toKubeconfig } from './config/to-kubeconfig.js'
export { type ClientOptions, type ClientTarget, createClient } from './create-client.js'
export type { DiscoveredKind, DynamicInput, DynamicObject } from './discovery/discovered-kind.js'
export { createDiscovery, type Discovery, KindNotFoundError } from './discovery/discovery.js'
export {
  createLineSplitter,
  decodeUtf8,
  type LineSplitter,
  type LineSplitterOptions,
  LineTooLongError,
} from './line-splitter.js'
export type { PartialObjectMetadata, Shown } from './object-access.js'
export type { ApplyInput, DeepPartial, JsonPatchOperation, MergePatch, Patch } from './patch.js'
export type { LogOptions } from './pod-logs.js'
export type { RateLimitOptions } from './rate-limit.js'
export { ResponseTooLargeError, readText } from './response-body.js'
export { type RetryOnConflictOptions, retryOnConflict } from './retry-on-conflict.js'
export type { Scale, ScaleInput } from './scale.js'
export type { ServiceAccountToken, TokenOptions } from './service-account-token.js'
export type { SubresourceClient } from './subresources.js'
export {
  ConnectionError,
  type ConnectionErrorOptions,
  type ConnectionFailure,
  ConnectionLostError,
  ContentEncodingError,
  IdleTimeoutError,
  InvalidRequestError,
  InvalidServerError,
  NotHttpError,
  ResponseTimeoutError,
  TransportClosedError,
} from './transport/connection-errors.js'
export {
  createTransport,
  type NetworkTransport,
  type TransportOptions,
} from './transport/network-transport.js'
export { FieldManagerRequiredError } from './verbs.js'
export {
  crdEstablished,
  type DeletedCondition,
  deleted,
  deploymentAvailable,
  hasCondition,
  jobComplete,
  podReady,
  type WaitCondition,
  type WaitVerdict,
} from './wait/wait-condition.js'
export { WaitHopelessError, type WaitOptions, WaitTimeoutError, waitFor } from './wait/wait-for.js'
export type { ServerWarning } from './warnings.js'
export { WatchDecodeError, type WatchEvent } from './watch.js'
