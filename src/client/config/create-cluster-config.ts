import { bearerCredentials, createCredentials, createStaticCredentials } from '../auth/credentials.js'
import type { ClusterConfig } from './cluster-config.js'
import { concealSecrets } from './conceal.js'
import { ClusterConfigInvalidError } from './config-errors.js'
import { parseServer } from './server-url.js'
import type { KubeconfigOptions } from './to-kubeconfig.js'

/**
 * The configuration for a cluster of which everything is at hand: what a kubeconfig of {@link toKubeconfig} says, without
 * one. Looks at no file and no environment, so that a proxy is used only if it is named. Throws
 * {@link ClusterConfigInvalidError} for a server that is no https URL.
 */
export function createClusterConfig(
  options: Omit<KubeconfigOptions, 'insecureSkipTlsVerify'>,
): ClusterConfig {
  const { name, certificateAuthority, tlsServerName, proxyUrl, clientCertificate, token } = options
  const origin = `cluster ${name}`
  const server = parseServer(options.server)
  if (server.kind === 'problem' || server.url.protocol !== 'https:')
    throw new ClusterConfigInvalidError([
      {
        source: origin,
        path: 'server',
        message:
          server.kind === 'problem' ? server.message : 'credentials need https: write https://host:port',
      },
    ])
  const credentials = createCredentials({
    ...(token !== undefined && bearerCredentials(token)),
    ...(clientCertificate !== undefined && { clientCertificate }),
  })
  return concealSecrets({
    server: server.base,
    trust: {
      ca: async () => certificateAuthority,
      ...(tlsServerName !== undefined && { serverName: tlsServerName }),
      insecureSkipVerify: false,
    },
    credentials: createStaticCredentials(credentials),
    ...(proxyUrl !== undefined && { proxyUrl }),
    namespace: options.namespace ?? 'default',
    origin,
  })
}
