import { type Clock, systemClock } from '../base/index.js'
import { createDefaultPlugins } from './admission/default-plugins.js'
import { lazyExpressions } from './admission/plugins/expressions.js'
import { createWebhookCaller, type WebhookCaller, type WebhookService } from './admission/webhook-caller.js'
import type { ApiObject } from './api-object.js'
import type { Authorizer } from './auth/authorizer.js'
import { createAuthentication } from './auth/create-authenticator.js'
import { createRbacAuthorizer } from './auth/rbac.js'
import { createReviewHandlers } from './auth/reviews.js'
import { createRuleResolver, type RuleResolver } from './auth/rule-resolver.js'
import { builtinResources } from './builtin/index.js'
import type { ClusterState } from './cluster-state.js'
import type { Handler, ResourceCatalogue } from './resource.js'
import { createTestServer, type TestServer } from './test-server.js'
import { createObjectWriter } from './write/object-writer.js'

/** For the tests of this room: a server of the built-in kinds with all its plugins and with roles that count. */
export interface AdmissionTestServer extends TestServer {
  readonly authorizer: Authorizer
  readonly resolver: RuleResolver
  readonly caller: WebhookCaller
  /** Creates an object as the administrator; fails the test when that is refused. */
  create(
    path: string,
    object: Omit<ApiObject, 'metadata'> & { metadata?: ApiObject['metadata'] },
  ): Promise<ApiObject>
}

export interface AdmissionTestOptions {
  readonly services?: ReadonlyMap<string, WebhookService>
  readonly clock?: Clock
}

/** A server with the namespace `geng`, where the service account `default` is. */
export async function createAdmissionTestServer(
  options: AdmissionTestOptions = {},
): Promise<AdmissionTestServer> {
  const { clock = systemClock, services = new Map() } = options
  const caller = createWebhookCaller({ clock, services })
  const holder: { server?: TestServer } = {}
  const now = (): TestServer => {
    if (holder.server === undefined) throw new Error('The server is not there yet.')
    return holder.server
  }
  // The plugins are made before the server that they are plugins of.
  const cluster: ClusterState = {
    get: (...place) => now().parts.cluster.get(...place),
    list: (...place) => now().parts.cluster.list(...place),
  }
  const catalogue: ResourceCatalogue = {
    find: (...place) => now().parts.catalogue.find(...place),
    all: () => now().parts.catalogue.all(),
  }
  const resolver = createRuleResolver(cluster)
  const authorizer = createRbacAuthorizer(cluster, resolver)
  const authentication = createAuthentication({})
  const reviews = createReviewHandlers({ authorizer, resolver, authentication })
  const handlers = Object.fromEntries(
    Object.entries(reviews).map(([plural, handler]: readonly [string, Handler]) => [
      `${plural}.${plural === 'tokenreviews' || plural === 'selfsubjectreviews' ? 'authentication' : 'authorization'}.k8s.io`,
      handler,
    ]),
  )
  const expressions = lazyExpressions()
  const made = createTestServer({
    resources: (nature, state) =>
      builtinResources({ nature, cluster: state, handlers, expressions: () => expressions.current }),
    plugins: [
      expressions.plugin,
      ...createDefaultPlugins({
        authorizer,
        resolver,
        catalogue,
        caller,
        writer: () => createObjectWriter(now().parts, { name: 'system:apiserver', groups: [] }),
      }),
    ],
    authorizer,
    clock,
  })
  holder.server = made
  const create: AdmissionTestServer['create'] = async (path, object) => {
    const answer = await made.send('POST', path, object)
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  await create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'geng', labels: { 'kubernetes.io/metadata.name': 'geng' } },
  })
  await create('/api/v1/namespaces/geng/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  })
  return { ...made, authorizer, resolver, caller, create }
}
