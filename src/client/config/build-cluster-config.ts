import { createCredentials, createStaticCredentials } from '../auth/credentials.js'
import type { ClusterConfig, CredentialSource, Impersonation, ServerTrust } from './cluster-config.js'
import { concealSecrets } from './conceal.js'
import { ClusterConfigInvalidError } from './config-errors.js'
import type { KubeconfigUser } from './kubeconfig.js'
import { chooseProxy } from './proxy.js'
import { type ResolveContext, reportField } from './resolve-context.js'
import { resolveCredentials } from './resolve-credentials.js'
import { resolveTrust } from './resolve-trust.js'
import type { SelectedContext } from './select-context.js'
import { parseServer } from './server-url.js'

/** Turns chosen entries into a configuration. Fails with {@link ClusterConfigInvalidError}, which lists all problems. */
export async function buildClusterConfig(
  selected: SelectedContext,
  defaultNamespace: string,
  context: ResolveContext,
): Promise<ClusterConfig> {
  const { cluster, user, origin } = selected
  const impersonate = resolveImpersonation(user, context)
  const namespace = selected.namespace ?? defaultNamespace
  if (!/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace))
    context.problems.push({
      source: origin,
      path: 'namespace',
      message: 'it is not a namespace: use at most 63 small letters, digits and dashes',
    })

  const server = cluster.server === undefined ? undefined : parseServer(cluster.server)
  if (server?.kind !== 'server') {
    reportField(context, cluster.place, 'server', server?.message ?? 'it is missing: name the API server')
    throw new ClusterConfigInvalidError(context.problems)
  }
  const proxyUrl = chooseProxy(server.url, cluster, context.env, context.problems)
  const { trust, credentials } =
    server.url.protocol === 'https:'
      ? await resolveSecurity(selected, server.base, context)
      : withoutSecurity(selected, server.base, context)
  if (context.problems.length > 0) throw new ClusterConfigInvalidError(context.problems)

  return concealSecrets({
    server: server.base,
    trust,
    credentials,
    ...(impersonate !== undefined && { impersonate }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    namespace,
    origin,
  })
}

interface Security {
  readonly trust: ServerTrust
  readonly credentials: CredentialSource
}

async function resolveSecurity(
  { cluster, user, userName }: SelectedContext,
  server: string,
  context: ResolveContext,
): Promise<Security> {
  const trust = await resolveTrust(cluster, server, context)
  const target = { server, cluster, trust }
  return { trust, credentials: await resolveCredentials(user, { userName, target }, context) }
}

/** As in client-go, no secret is ever sent over a connection that anybody can read. */
function withoutSecurity({ user }: SelectedContext, server: string, context: ResolveContext): Security {
  const { place: _place, as: _as, asUid: _asUid, asGroups: _asGroups, asUserExtra: _extra, ...secrets } = user
  if (Object.keys(secrets).length > 0)
    context.log.warn('The server is not https, so no credentials are sent to it: use an https server.', {
      server,
    })
  return {
    trust: { ca: async () => undefined, insecureSkipVerify: false },
    credentials: createStaticCredentials(createCredentials({})),
  }
}

function resolveImpersonation(user: KubeconfigUser, context: ResolveContext): Impersonation | undefined {
  const { as, asUid, asGroups, asUserExtra, place } = user
  const details = {
    ...(asUid !== undefined && { uid: asUid }),
    ...(asGroups !== undefined && { groups: asGroups }),
    ...(asUserExtra !== undefined && { extra: asUserExtra }),
  }
  if (as !== undefined) return { user: as, ...details }
  if (Object.keys(details).length > 0)
    reportField(context, place, 'as', 'it is missing: a uid, groups or extra belong to a user to act as')
  return undefined
}
