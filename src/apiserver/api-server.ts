import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type Clock, type Random, systemClock } from '../base/index.js'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../base/x509/index.js'
import { resourceNameOf, type Transport } from '../objects/index.js'
import { createMetrics, type Logger, silentLogger } from '../observe/index.js'
import { createAdmissionChain } from './admission/chain.js'
import { createDefaultPlugins } from './admission/default-plugins.js'
import { lazyExpressions } from './admission/plugins/expressions.js'
import { createWebhookCaller, type WebhookCallerOptions } from './admission/webhook-caller.js'
import { withoutPlugins } from './admission/without-plugins.js'
import { startRoleAggregation } from './auth/aggregation.js'
import type { Credentials } from './auth/authenticator.js'
import { allowAll } from './auth/authorizer.js'
import { anonymousUser, createAuthentication } from './auth/create-authenticator.js'
import { createImpersonation } from './auth/impersonation.js'
import { createOpenIdPaths } from './auth/openid.js'
import { createRbacAuthorizer } from './auth/rbac.js'
import { createReviewHandlers } from './auth/reviews.js'
import { createRuleResolver } from './auth/rule-resolver.js'
import { createServiceAccountTokens } from './auth/service-account-tokens.js'
import { createTokenRequestHandler } from './auth/token-request.js'
import { connectionHandlers } from './builtin/core/connections.js'
import { builtinResources } from './builtin/index.js'
import { Catalogue } from './catalogue.js'
import { GarbageCollector } from './controllers/garbage-collector.js'
import { NamespaceContent } from './controllers/namespace-content.js'
import { NamespaceController } from './controllers/namespace-controller.js'
import { QuotaController } from './controllers/quota-controller.js'
import { answerPodLog } from './controllers/workloads/pod-log.js'
import { createSimulation, type SimulationOptions } from './controllers/workloads/simulation.js'
import {
  CustomResources,
  crdAdmission,
  createCrdController,
  lazyEngines,
  withCrdStrategies,
} from './crd/index.js'
import { createDiscovery } from './discovery/discovery.js'
import { createFirstObjects, createServerService } from './first-objects.js'
import { type Listener, listen } from './listener/listener.js'
import { createNature } from './nature.js'
import { createOpenApi } from './openapi/openapi.js'
import { createOutput } from './output/output.js'
import { createProtobufCodec, loadProtobuf } from './protobuf/protobuf-codec.js'
import { createReader } from './read/reader.js'
import type { Resource } from './resource.js'
import { createRouter, type Router } from './router.js'
import {
  answerVersion,
  createHealthPaths,
  createMetricsPath,
  createRootPath,
  kubernetesVersion,
} from './server-paths.js'
import { clusterReads } from './store/cluster-reads.js'
import { createMemoryStore } from './store/memory-store.js'
import type { Store } from './store/store.js'
import { createSystemClient } from './system-client.js'
import { mastersGroup, type User } from './user.js'
import { createObjectWriter } from './write/object-writer.js'

export interface ApiServerOptions {
  /** Where objects are kept: in memory, if absent. The server closes it when it stops. */
  readonly store?: Store
  readonly clock?: Clock
  /** For uids, generated names and jitter: a seeded one makes a run repeatable. */
  readonly random?: Random
  readonly log?: Logger
  /** Whether users may do only what roles allow. `true` unless said otherwise; members of system:masters may do everything. */
  readonly rbac?: boolean
  /** Whether requests without credentials are let in, as `system:anonymous`. Off unless said otherwise. */
  readonly anonymous?: boolean
  /** Tokens that are simply known, and whose they are. */
  readonly tokens?: ReadonlyMap<string, User>
  /** The workloads, scheduler and nodes that the server plays itself; `false` leaves them to others. */
  readonly simulation?: SimulationOptions | false
  /** Garbage collection and the end of namespaces; `false` leaves them to a kube-controller-manager. */
  readonly controllers?: boolean
  /**
   * Admission plugins to leave out, by their names on the real server. Without `ServiceAccount`, pods need no service
   * account, which nobody makes where there are no controllers.
   */
  readonly disabledAdmission?: readonly string[]
  /** What stands for the services that webhooks name, and which addresses may be called. */
  readonly webhooks?: Omit<WebhookCallerOptions, 'clock'>
  /** The authority that signs its certificates; a new one, if absent. */
  readonly authority?: KeyedCertificate
  /** PEM of the key that signs the tokens of service accounts; a new one, if absent. */
  readonly serviceAccountKey?: string
}

export interface ListenerOptions {
  /** 127.0.0.1 unless said otherwise. */
  readonly host?: string
  /** Any free one unless said otherwise. */
  readonly port?: number
  /** Listen on an address that other machines can reach. */
  readonly expose?: boolean
}

/** A Kubernetes API server in this process. */
export interface ApiServer {
  /** The server as a function: requests of a user, the administrator unless said otherwise, without a socket. */
  transport(user?: User): Transport
  /** Opens an HTTPS listener. Several may be open. */
  listen(options?: ListenerOptions): Promise<Listener>
  /** The authority that its certificates are signed by: what clients trust. */
  readonly authority: KeyedCertificate
  /** A certificate by which the server knows a user. */
  issueClientCertificate(user: User): KeyedCertificate
  readonly store: Store
  /** Ends watches, listeners and controllers, and closes the store. May be called again. */
  stop(): Promise<void>
}

const administrator: User = { name: 'kubernetes-admin', groups: [mastersGroup, 'system:authenticated'] }
const systemUser: User = { name: 'system:apiserver', groups: [mastersGroup, 'system:authenticated'] }
const issuer = 'https://kubernetes.default.svc.cluster.local'

/** Starts a server. Resolves when it is ready. */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { clock = systemClock, log = silentLogger, rbac = true } = options
  const nature = createNature(clock, options.random ?? Math.random)
  const store = options.store ?? createMemoryStore()
  const cluster = clusterReads(store)
  const shutdown = new AbortController()
  const listeners = new Set<Listener>()
  const authority = options.authority ?? createCertificateAuthority({ commonName: 'kubewright', clock })

  const resolver = createRuleResolver(cluster)
  const authorizer = rbac ? createRbacAuthorizer(cluster, resolver) : allowAll
  const serviceAccountTokens = createServiceAccountTokens({
    key: signingKey(options.serviceAccountKey),
    issuer,
    nature,
    cluster,
  })
  const authentication = createAuthentication({
    serviceAccountTokens,
    ...(options.tokens !== undefined && { staticTokens: options.tokens }),
  })
  const webhooks = createWebhookCaller({ ...options.webhooks, clock })
  const engines = lazyEngines()
  const custom = new CustomResources({ webhooks, nature })

  const reviews = createReviewHandlers({ authorizer, resolver, authentication })
  const catalogue = new Catalogue(custom)
  const expressions = lazyExpressions()
  const admission = createAdmissionChain(
    [
      crdAdmission(engines),
      expressions.plugin,
      ...withoutPlugins(
        createDefaultPlugins({ authorizer, resolver, catalogue, caller: webhooks, writer: () => writer }),
        options.disabledAdmission ?? [],
      ),
    ],
    { cluster, nature },
  )
  const writeParts = { store, nature, cluster, admission, authorizer, catalogue }
  const writer = createObjectWriter(writeParts, systemUser)
  const resources = builtinResources({
    nature,
    cluster,
    writer,
    expressions: () => expressions.current,

    handlers: {
      ...reviewHandlersByName(reviews),
      'serviceaccounts/token': createTokenRequestHandler(serviceAccountTokens, cluster),
      ...connectionHandlers(cluster),
      'pods/log': answerPodLog({
        cluster,
        nature,
        onChange: (listener) => store.subscribe({ after: store.revision }, listener),
        shutdown: shutdown.signal,
      }),
    },
  })
  catalogue.serve(
    resources.map((resource) =>
      resourceNameOf(resource) === 'customresourcedefinitions.apiextensions.k8s.io'
        ? withCrdStrategies(resource, engines)
        : resource,
    ),
  )

  const metrics = createMetrics()
  const protobuf = createProtobufCodec()
  const output = createOutput({ nature, protobuf })
  const discovery = createDiscovery({ catalogue, output, address: () => addressOf(listeners) })
  const paths = {
    '/': createRootPath(() => [
      '/.well-known/openid-configuration',
      '/api',
      '/api/v1',
      '/apis',
      '/healthz',
      '/livez',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/openid/v1/jwks',
      '/readyz',
      '/version',
    ]),
    '/api': discovery,
    '/apis': discovery,
    '/version': answerVersion,
    '/healthz': createHealthPaths(checks),
    '/livez': createHealthPaths(checks),
    '/readyz': createHealthPaths({ ...checks, shutdown: () => !shutdown.signal.aborted }),
    '/metrics': createMetricsPath(() => metrics.expose()),
    '/openapi': createOpenApi({ catalogue, version: kubernetesVersion }),
    ...createOpenIdPaths({ tokens: serviceAccountTokens, address: () => addressOf(listeners) }),
  }
  const router: Router = loadProtobuf(
    createRouter({
      ...writeParts,
      output,
      reader: createReader({ store, nature, output, protobuf, shutdown: shutdown.signal }),
      bodyReader: { decodeProtobuf: protobuf.decode },
      log,
      impersonate: createImpersonation(authorizer),
      paths,
    }),
    protobuf,
  )

  const system = createSystemClient(writeParts, systemUser)
  // As the real server, which runs it itself.
  const apiExtensions = createSystemClient(writeParts, systemUser, { manager: 'kube-apiserver' })
  const crdController = createCrdController({
    system: apiExtensions,
    nature,
    engines,
    resources: custom,
    log,
  })
  const stopping: (() => void | Promise<void>)[] = [() => crdController.stop(), () => webhooks.close()]
  await crdController.ready
  // Those that the server itself writes have gathered already.
  const isUpToDate = store.count('clusterroles.rbac.authorization.k8s.io') === 0
  await createFirstObjects({ store, nature, hasRoles: rbac, authority: authority.cert })
  if (rbac) {
    const manager = 'clusterrole-aggregation-controller'
    const aggregator = createSystemClient(writeParts, systemUser, { manager })
    stopping.push(startRoleAggregation(aggregator, { isUpToDate }))
  }
  if (options.controllers !== false) {
    const collector = new GarbageCollector({ system, nature, log })
    const namespaces = new NamespaceController({ system, nature, log })
    const quotas = new QuotaController({ system, nature, log })
    const content = new NamespaceContent({ system, nature, log, authority: authority.cert })
    stopping.push(
      () => collector.stop(),
      () => namespaces.stop(),
      () => content.stop(),
      () => quotas.stop(),
    )
    collector.begin(storedObjects(store, catalogue.all()))
    namespaces.begin()
    quotas.begin()
    await content.begin()
  }
  if (options.simulation !== false) {
    const simulation = createSimulation({ system, nature, log }, options.simulation ?? {})
    stopping.push(() => simulation.stop())
    await simulation.begin()
  }

  const authenticate = (credentials: Credentials): User | undefined => {
    const isNobody = credentials.token === undefined && credentials.certificateUser === undefined
    if (isNobody) return options.anonymous === true ? anonymousUser : undefined
    return authentication.authenticate(credentials)
  }
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    shutdown.abort()
    await Promise.all(Array.from(listeners, (listener) => listener.close(graceMs)))
    for (const end of stopping.toReversed()) await end()
    await store.close()
  }

  return {
    authority,
    store,
    transport:
      (user = administrator) =>
      (request) =>
        router(request, user),
    async listen({ host = '127.0.0.1', port = 0, expose = false } = {}) {
      const serving = issueCertificate(authority, {
        commonName: 'kube-apiserver',
        purposes: ['server'],
        dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
        ipAddresses: servingAddresses(host),
        clock,
      })
      const listener = await listen((request, credentials) => router(request, authenticate(credentials)), {
        host,
        port,
        isExposed: expose,
        serving,
        clientAuthority: authority.cert,
      })
      listeners.add(listener)
      await createServerService(store, nature, listener.port)
      return listener
    },
    issueClientCertificate: ({ name, groups }) =>
      issueCertificate(authority, { commonName: name, organizations: groups, purposes: ['client'], clock }),
    stop: () => (stopped ??= stop()),
  }
}

// Time for answers that are under way when the server stops.
const graceMs = 2_000

const checks: Readonly<Record<string, () => boolean>> = {
  ping: () => true,
  log: () => true,
  etcd: () => true,
}

function signingKey(pem: string | undefined): KeyObject {
  return pem === undefined
    ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
    : createPrivateKey(pem)
}

function reviewHandlersByName(reviews: ReturnType<typeof createReviewHandlers>) {
  const { tokenreviews, selfsubjectreviews, ...access } = reviews
  return {
    'tokenreviews.authentication.k8s.io': tokenreviews,
    'selfsubjectreviews.authentication.k8s.io': selfsubjectreviews,
    ...Object.fromEntries(
      Object.entries(access).map(([name, handler]) => [`${name}.authorization.k8s.io`, handler]),
    ),
  }
}

/** The addresses by which clients on this machine may reach it. */
function servingAddresses(host: string): readonly string[] {
  const isAddress = /^[\d.:a-f]+$/i.test(host)
  return [...new Set(['127.0.0.1', ...(/^[\d.]+$/.test(host) ? [] : ['::1']), ...(isAddress ? [host] : [])])]
}

function addressOf(listeners: ReadonlySet<Listener>): string {
  const [first] = listeners
  return first === undefined ? 'localhost' : `${first.host}:${first.port}`
}

function* storedObjects(store: Store, resources: Iterable<Resource>) {
  for (const resource of resources) {
    if (resource.actions !== undefined || resource.storedAs !== undefined) continue
    const name = resourceNameOf(resource)
    for (const current of store.scan(name)) yield { type: 'added', resource: name, current } as const
  }
}
