import { request as httpRequest } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { toError } from '../../base/index.js'
import { ConnectionError } from './connection-errors.js'
import { nextEvent } from './socket-events.js'
import { connectThroughSocks5 } from './socks5.js'

/** A proxy as the transport needs it. The password is never printed. */
export interface Proxy {
  readonly protocol: 'http:' | 'https:' | 'socks5:' | 'socks5h:'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
}

const defaultPorts: Readonly<Record<Proxy['protocol'], number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
}

/** Reads a proxy URL. Throws {@link ConnectionError} when it is none that we can use. */
export function parseProxy(server: string, proxyUrl: string): Proxy {
  try {
    const url = new URL(proxyUrl)
    if (isProxyProtocol(url.protocol)) {
      return {
        protocol: url.protocol,
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? defaultPorts[url.protocol] : Number(url.port),
        username: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
      }
    }
  } catch {
    // Falls through: the text of the URL may hold a password, so it is not repeated.
  }
  throw new ConnectionError({
    server,
    reason: 'proxy',
    explanation:
      'the proxy URL is not valid. Use http://, https://, socks5:// or socks5h:// with a host, and percent-encode ' +
      'special characters in its user name and password.',
  })
}

function isProxyProtocol(protocol: string): protocol is Proxy['protocol'] {
  return protocol in defaultPorts
}

/**
 * Opens a connection to the far host through the proxy. Every HTTP proxy is asked for a tunnel (CONNECT), for http://
 * servers too. `onSocket` sees each socket as it is created, so that the caller can destroy it when time is up.
 */
export async function connectThroughProxy(
  proxy: Proxy,
  far: { readonly host: string; readonly port: number },
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const socket = openProxySocket(proxy)
  onSocket(socket)
  await nextEvent(socket, proxy.protocol === 'https:' ? 'secureConnect' : 'connect')
  if (proxy.protocol === 'http:' || proxy.protocol === 'https:') await openTunnel(socket, proxy, far)
  else await connectThroughSocks5(socket, { ...far, username: proxy.username, password: proxy.password })
  return socket
}

function openProxySocket(proxy: Proxy): Socket {
  const { host, port } = proxy
  if (proxy.protocol !== 'https:') return connectTcp({ host, port, noDelay: true, keepAlive: true })
  return connectTls({
    host,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
  })
}

function openTunnel(
  socket: Socket,
  proxy: Proxy,
  far: { readonly host: string; readonly port: number },
): Promise<void> {
  const authority = `${isIP(far.host) === 6 ? `[${far.host}]` : far.host}:${far.port}`
  const headers = ['Host', authority]
  if (proxy.username !== '') {
    const credentials = Buffer.from(`${proxy.username}:${proxy.password}`, 'utf8').toString('base64')
    headers.push('Proxy-Authorization', `Basic ${credentials}`)
  }
  return new Promise((resolve, reject) => {
    const connect = httpRequest({
      method: 'CONNECT',
      path: authority,
      headers,
      createConnection: () => socket,
    })
    connect.once('connect', (response, _socket, head) => {
      if (response.statusCode !== 200) return reject(new Error(refusal(response.statusCode)))
      if (head.length > 0) socket.unshift(head)
      resolve()
    })
    connect.once('response', (response) => {
      response.destroy()
      reject(new Error(refusal(response.statusCode)))
    })
    connect.once('error', (error) => reject(toError(error)))
    connect.end()
  })
}

function refusal(status: number | undefined): string {
  return status === 407
    ? 'the proxy wants a user name and password, or others (HTTP 407)'
    : `the proxy refused the tunnel (HTTP ${status})`
}
