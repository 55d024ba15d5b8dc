import { inspect } from 'node:util'
import type { ClusterConfig } from './cluster-config.js'

/**
 * The same configuration, showing no secret when it is printed or turned into JSON. A copy by spread keeps that: the two
 * methods are ordinary properties and describe the object they are called on.
 */
export function concealSecrets(config: ClusterConfig): ClusterConfig {
  const concealed = {
    ...config,
    [inspect.custom](this: ClusterConfig): object {
      return summarize(this)
    },
    toJSON(this: ClusterConfig): object {
      return summarize(this)
    },
  }
  return concealed
}

function summarize(config: ClusterConfig): object {
  const { server, trust, impersonate, proxyUrl, namespace, origin } = config
  return {
    origin,
    server,
    namespace,
    trust: {
      insecureSkipVerify: trust.insecureSkipVerify,
      ...(trust.serverName !== undefined && { serverName: trust.serverName }),
    },
    credentials: '[hidden]',
    ...(impersonate !== undefined && { impersonate: { user: impersonate.user } }),
    // A proxy URL may hold a password.
    ...(proxyUrl !== undefined && { proxyUrl: proxyUrl.replace(/\/\/[^@/]*@/, '//[hidden]@') }),
  }
}
