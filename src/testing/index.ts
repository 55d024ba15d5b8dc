/**
 * Clusters for tests: a real control plane of one's own, or one that exists, behind one interface.
 *
 * @module
 */
export type {
  ApiServerProcess,
  Cluster,
  ClusterAccess,
  ClusterUser,
  ControlPlaneCluster,
  EmbeddedCluster,
  KubectlOptions,
  KubectlResult,
} from './cluster.js'
export {
  ClusterStoppedError,
  ControlPlaneFailedError,
  ControlPlaneStartError,
  InvalidClusterOptionsError,
  NoListenerError,
  PortInUseError,
  UnreadableKubeconfigError,
} from './cluster-errors.js'
export {
  ArchiveChecksumError,
  ArchiveDownloadError,
  ArchiveUnsafeError,
} from './control-plane/archive-errors.js'
export { BrokenBinaryError } from './control-plane/asset-inventory.js'
export {
  type Component,
  defaultKubernetesVersion,
  InvalidKubernetesVersionError,
} from './control-plane/component.js'
export type { ControlPlaneOptions, WorkloadComponent } from './control-plane/control-plane-options.js'
export {
  AssetCacheUnwritableError,
  type EnsureControlPlaneOptions,
  ensureControlPlane,
} from './control-plane/ensure-control-plane.js'
export type { ArchiveSource } from './control-plane/envtest-archive.js'
export type { ExistingClusterOptions } from './control-plane/existing-cluster.js'
export {
  AssetsIncompleteError,
  type ControlPlaneAssets,
  type FindControlPlaneOptions,
  findControlPlane,
} from './control-plane/find-control-plane.js'
export {
  GoBuildFailedError,
  GoMissingError,
  GoModulesUnreachableError,
  GoTooOldError,
} from './control-plane/go-errors.js'
export { UnknownModuleShapeError } from './control-plane/go-module.js'
export { type ControlPlaneProgress, describeProgress, type OnProgress } from './control-plane/progress.js'
export { CommandNotStartedError } from './control-plane/run-command.js'
export { SupervisorLostError } from './control-plane/supervisor.js'
export { type ClusterOptions, createCluster } from './create-cluster.js'
export type { EmbeddedClusterOptions } from './embedded/embedded-options.js'
export { EventuallyError, type EventuallyOptions, eventually } from './eventually.js'
export { createFakeClock, type FakeClock, type FakeClockOptions, RunawayTimersError } from './fake-clock.js'
