import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Clock, type Random, systemClock } from '../base/index.js'
import { createSharedCache, type SharedCache } from '../cache/index.js'
import { type Client, type ClusterConfig, createClient, createTransport } from '../client/index.js'
import {
  type Controller,
  createController,
  createEventRecorder,
  type EventRecorder,
  type RunRecord,
} from '../controller/index.js'
import {
  createCertificateFiles,
  createHealth,
  createHealthServer,
  createLeaderElector,
  createLoopLagMonitor,
  createManager,
  createMetricsServer,
  createRequestAccess,
  createSelfSignedCertificate,
  eventLoopResponsive,
  fenceWrites,
  type Health,
  informersActive,
  informersSynced,
  type LeaderElector,
  leaseRenewed,
  type Manager,
  type MetricsServing,
  registerManagerMetrics,
} from '../manager/index.js'
import type { Transport } from '../objects/index.js'
import {
  createMetrics,
  type Logger,
  type Metrics,
  silentLogger,
  silentTracer,
  type Tracer,
} from '../observe/index.js'
import { registerCacheFailures, registerCacheMetrics } from './cache-metrics.js'
import { type MeasuredController, registerControllerMetrics } from './controller-metrics.js'
import type { Operator } from './define-operator.js'
import { observeRequests } from './observed-transport.js'
import { defaultOperatorFlags, type OperatorFlags } from './operator-flags.js'

/** What an operator runs on. */
export interface OperatorEnvironment {
  readonly config: ClusterConfig
  /** As on a command line without flags, unless said otherwise. */
  readonly flags?: Partial<OperatorFlags>
  /** In place of the network: the transport of a test, for example. */
  readonly transport?: Transport & { close?(): void }
  readonly log?: Logger
  readonly clock?: Clock
  readonly random?: Random
  readonly tracer?: Tracer
  /** Told of every run of every controller. */
  readonly onRun?: (run: RunRecord) => void
}

/** An operator put together, ready to run. */
export interface AssembledOperator {
  /** Reads always; writes only while this replica leads, where there is an election. */
  readonly client: Client
  readonly cache: SharedCache
  readonly controllers: readonly Controller[]
  readonly metrics: Metrics
  /** Absent without `--leader-elect`. */
  readonly elector: LeaderElector | undefined
  /** What its probes answer by: further checks may be added. */
  readonly health: Health
  readonly manager: Manager
  /** Runs until the signal aborts; see `Manager.run`. Closes the connections at the end. */
  run(signal: AbortSignal): Promise<void>
}

const cacheSyncTimeoutMs = 120_000

/** See `assembleOperator` in on-demand.ts. */
export function assembleOperator(operator: Operator, environment: OperatorEnvironment): AssembledOperator {
  const {
    config,
    log = silentLogger,
    clock = systemClock,
    random = Math.random,
    tracer = silentTracer,
  } = environment
  const flags = { ...defaultOperatorFlags, ...environment.flags }
  const metrics = createMetrics()
  const managerMetrics = registerManagerMetrics(metrics)
  const network = environment.transport ?? createTransport(config, { clock, log })
  const observed = observeRequests(network, {
    host: new URL(config.server).host,
    tracer,
    requests: metrics.counter({
      name: 'rest_client_requests_total',
      help: 'Requests to the API server by status code, method and host.',
      labels: ['code', 'method', 'host'],
    }),
  })
  const common = {
    clock,
    random,
    log,
    fieldManager: operator.name,
    userAgent: operator.name,
    namespace: config.namespace,
  }
  const client = createClient({ ...common, transport: observed })

  const elector = flags.leaderElect
    ? createLeaderElector({
        client,
        lease: {
          namespace: flags.leaderElectionNamespace ?? ownNamespace() ?? config.namespace,
          name: flags.leaderElectionId ?? operator.name,
        },
        clock,
        random,
        log,
        metrics: managerMetrics.election(flags.leaderElectionId ?? operator.name),
      })
    : undefined
  // Below all retries and waits: a write that slept through the loss of the lease is refused too.
  const writer =
    elector === undefined
      ? client
      : createClient({ ...common, transport: fenceWrites(observed, () => elector.assertLeading()) })

  const { kinds: cachedKinds = [], ...cacheOptions } = operator.cache
  const onFailure = registerCacheFailures(metrics)
  const cache = createSharedCache({
    client,
    clock,
    random,
    log,
    namespaces: flags.namespaces,
    onFailure,
    ...cacheOptions,
  })
  for (const { kind, options } of cachedKinds) cache.of(kind, options)
  registerCacheMetrics(metrics, cache, clock)
  // Replicas that do not lead may speak of what they do on every replica.
  const recorderFor = (by: Client): EventRecorder =>
    createEventRecorder({ client: by, component: operator.name, instance: hostname(), clock, random, log })
  const events = recorderFor(writer)
  const everywhere = elector === undefined ? events : recorderFor(client)
  const measured = new Map<string, MeasuredController>()
  const metricsFor = registerControllerMetrics(metrics, measured)
  const controllers = operator.controllers.map((definition) => {
    const controller = createController(definition, {
      client: definition.onEveryReplica ? client : writer,
      cache,
      events: definition.onEveryReplica ? everywhere : events,
      log,
      clock,
      tracer,
      metrics: metricsFor(definition),
      ...(environment.onRun !== undefined && { onRun: environment.onRun }),
      ...(elector !== undefined &&
        !definition.onEveryReplica && { assertMayWrite: () => elector.assertLeading() }),
    })
    measured.set(definition.name, controller)
    return controller
  })

  const manager = createManager({
    log,
    clock,
    ...(elector !== undefined && {
      leaderElection: elector,
      // The last leader may have written what has not arrived here yet.
      beforeLeading: (signal: AbortSignal) => cache.caughtUp(signal),
    }),
  })
  const health = addServers({
    manager,
    metrics,
    client,
    cache,
    elector,
    flags,
    log,
    clock,
    certificates: managerMetrics.certificates,
  })
  manager.add({
    name: 'cache',
    phase: 'cache',
    run: (signal) => cache.run(signal),
    ready: (signal) => cache.synced({ timeoutMs: cacheSyncTimeoutMs, signal }),
  })
  // It stops after the controllers, while the lease is still held, so that their last words are written.
  for (const recorder of new Set([events, everywhere])) {
    manager.add({ name: 'event recorder', phase: 'other', run: (signal) => recorder.run(signal) })
  }
  for (const controller of controllers) {
    const { name, onEveryReplica } = controller.definition
    manager.add({
      name: `controller ${name}`,
      phase: onEveryReplica ? 'other' : 'leader',
      run: (signal) => controller.run(signal),
    })
  }

  return {
    client: writer,
    cache,
    controllers,
    metrics,
    elector,
    health,
    manager,
    async run(signal) {
      try {
        await manager.run(signal)
      } finally {
        network.close?.()
      }
    },
  }
}

interface Servers {
  readonly manager: Manager
  readonly metrics: Metrics
  /** Reads always; writes only while this replica leads, where there is an election. */
  readonly client: Client
  readonly cache: SharedCache
  readonly elector: LeaderElector | undefined
  readonly flags: OperatorFlags
  readonly log: Logger
  readonly clock: Clock
  readonly certificates: ReturnType<typeof registerManagerMetrics>['certificates']
}

function addServers(parts: Servers): Health {
  const { manager, metrics, client, cache, elector, flags, log, clock } = parts
  const lag = createLoopLagMonitor({ clock })
  manager.add(lag)
  const health = createHealth({ log, clock })
  health.addCheck('healthz', 'event-loop', eventLoopResponsive(lag))
  if (elector !== undefined) health.addCheck('healthz', 'leader-election', leaseRenewed(elector))
  health.addCheck('readyz', 'informers-synced', informersSynced(cache))
  // Readiness, not liveness: a restart does not bring an API server back.
  health.addCheck('readyz', 'informers-active', informersActive(cache, { clock }))
  manager.add(createHealthServer({ address: flags.healthProbeBindAddress, health, log, clock }))
  const serving: MetricsServing = flags.metricsSecure
    ? {
        kind: 'https',
        certificate:
          flags.metricsCertPath === undefined
            ? createSelfSignedCertificate({ clock })
            : createCertificateFiles({
                certFile: join(flags.metricsCertPath, 'tls.crt'),
                keyFile: join(flags.metricsCertPath, 'tls.key'),
                log,
                clock,
                metrics: parts.certificates,
              }),
        access: createRequestAccess({ client, clock }),
      }
    : { kind: 'http' }
  manager.add(
    createMetricsServer({
      address: flags.metricsBindAddress,
      serving,
      content: () => metrics.expose(),
      log,
      clock,
    }),
  )
  return health
}

/** The namespace of the pod that this process runs in. */
function ownNamespace(): string | undefined {
  try {
    return readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/namespace', 'utf8').trim()
  } catch {
    return undefined
  }
}
