import type { ConfigProblem } from './config-errors.js'
import type { KubeconfigCluster } from './kubeconfig.js'
import type { Environment } from './kubeconfig-files.js'
import { parseNoProxy } from './no-proxy.js'

const schemes = new Set(['http:', 'https:', 'socks5:', 'socks5h:'])

/**
 * The proxy for a server: the cluster's proxy-url; else HTTPS_PROXY for https servers, HTTP_PROXY for http ones, ALL_PROXY
 * for both, in capitals or small letters, unless NO_PROXY names the server. Undefined: none, or a broken one, which
 * is reported: going around a proxy that somebody asked for would be the wrong guess.
 */
export function chooseProxy(
  server: URL,
  cluster: Pick<KubeconfigCluster, 'place' | 'proxyUrl'>,
  env: Environment,
  problems: ConfigProblem[],
): string | undefined {
  if (cluster.proxyUrl !== undefined) {
    const url = parseProxyUrl(cluster.proxyUrl)
    if (url === undefined)
      problems.push({
        source: cluster.place.source,
        path: `${cluster.place.at}.proxy-url`,
        message: 'it is not a proxy URL: use http://, https:// or socks5://host:port',
      })
    return url
  }

  const names = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy']
  const name = [...names, 'ALL_PROXY', 'all_proxy'].find((variable) => (env[variable] ?? '') !== '')
  if (name === undefined) return undefined
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  if (parseNoProxy(env['NO_PROXY'] || env['no_proxy'] || '')(host, port)) return undefined
  const value = env[name] ?? ''
  const url = parseProxyUrl(value) ?? (value.includes('://') ? undefined : parseProxyUrl(`http://${value}`))
  if (url === undefined)
    problems.push({
      source: `environment variable ${name}`,
      message: 'it is not a proxy URL: use http://, https:// or socks5://host:port, or unset it',
    })
  return url
}

function parseProxyUrl(text: string): string | undefined {
  try {
    const url = new URL(text)
    // The user name and password are sent decoded: a lone % would only show at the first connection.
    decodeURIComponent(url.username + url.password)
    return schemes.has(url.protocol) && url.hostname !== '' ? url.href.replace(/\/$/, '') : undefined
  } catch {
    return undefined
  }
}
