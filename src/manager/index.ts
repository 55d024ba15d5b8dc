/**
 * The life of a process: what starts when, who leads, how it stops, and what it tells about itself.
 *
 * - **Order.** Parts start phase by phase, each when the one before is ready, and stop in reverse. A part that fails stops
 *   all, and its error is what the run ends with. What will not stop is named when the grace period is over.
 * - **One leader.** Only the holder of the lease passes `assertLeading`, which asks the clock at that moment: a process that
 *   was blocked, stopped or asleep for longer than the renew deadline writes nothing more. The lease is handed back only
 *   after everything under it has ended. After a loss the run ends at once, and so must the process.
 * - **No silence.** Health endpoints answer also when a check hangs; an error that reaches nobody ends the process.
 * - **No secrets.** Health tells anonymous callers only what failed, metrics ask the cluster who may read them, and tokens
 *   are kept as keyed hashes only.
 *
 * It knows no controller: whatever has a `run(signal)` is a part.
 *
 * @module
 */
export {
  ElectorAlreadyRunError,
  IdentityInUseError,
  InvalidElectionOptionsError,
  type LeadershipLoss,
  LeadershipLostError,
} from './election/election-errors.js'
export type { ElectionEvent, ElectionMetrics, LeaderElectorOptions } from './election/election-options.js'
export { fenceWrites } from './election/fence-writes.js'
export { createLeaderElector, type LeaderElector } from './election/leader-elector.js'
export { type ExitOnFatalErrorsOptions, exitOnFatalErrors } from './fatal-errors.js'
export {
  createHealth,
  type Health,
  type HealthCheck,
  type HealthOptions,
  InvalidHealthCheckError,
  type Probe,
} from './health/health.js'
export { createHealthServer } from './health/health-server.js'
export { createLoopLagMonitor, type LoopLagMonitor, type LoopLagOptions } from './health/loop-lag.js'
export {
  eventLoopResponsive,
  type InformerSource,
  informersActive,
  informersSynced,
  leaseRenewed,
} from './health/standard-checks.js'
export { type BindAddress, InvalidBindAddressError, parseBindAddress } from './http/bind-address.js'
export {
  type CertificateFilesOptions,
  type CertificateMetrics,
  createCertificateFiles,
  ServingCertificateError,
} from './http/certificate-files.js'
export type { HttpAnswer, HttpHandler, HttpRequest } from './http/http-handler.js'
export { createHttpServer, type HttpServer, type HttpServerOptions } from './http/http-server.js'
export { ListenError, type ListenFailure } from './http/listen-error.js'
export {
  createSelfSignedCertificate,
  type SelfSignedCertificateOptions,
} from './http/self-signed-certificate.js'
export type { ServingCertificate } from './http/serving-certificate.js'
export { createManager, type Election, type Manager, type ManagerOptions } from './manager.js'
export {
  GracePeriodExceededError,
  InvalidManagerOptionsError,
  ManagerAlreadyRunError,
  ManagerStoppedError,
  RunnableFailedError,
} from './manager-errors.js'
export { type ManagerMetrics, registerManagerMetrics } from './manager-metrics.js'
export {
  createMetricsServer,
  type MetricsServerOptions,
  type MetricsServing,
} from './metrics/metrics-server.js'
export {
  type AccessQuestion,
  type AccessVerdict,
  createRequestAccess,
  type RequestAccess,
  type RequestAccessOptions,
} from './metrics/request-access.js'
export { type Phase, phases, type Runnable } from './runnable.js'
export { type SignalSource, type StopOnSignals, type StopOnSignalsOptions, stopOnSignals } from './signals.js'
