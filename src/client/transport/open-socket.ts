import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { type Clock, toError } from '../../base/index.js'
import { ConnectionError } from './connection-errors.js'
import { explainConnectionFailure } from './connection-failure.js'
import { connectThroughProxy, type Proxy } from './proxy.js'
import { nextEvent } from './socket-events.js'

/** Where to connect, and what to expect there. */
export interface SocketTarget {
  /** For messages: the base URL of the server. */
  readonly server: string
  readonly host: string
  readonly port: number
  readonly proxy?: Proxy | undefined
  /** Absent for plain http. */
  readonly tls?:
    | {
        readonly secureContext: SecureContext
        readonly serverName?: string | undefined
        readonly insecureSkipVerify: boolean
      }
    | undefined
  readonly connectTimeoutMs: number
  readonly clock: Clock
  /** Sees each socket as it is created, so that its owner can destroy it. */
  readonly onSocket?: (socket: Socket) => void
}

/**
 * A socket that is connected to the server, through the proxy if there is one, with its TLS handshake done: whoever
 * receives it knows that nothing was sent yet. Rejects with {@link ConnectionError} only.
 */
export async function openSocket(target: SocketTarget): Promise<Socket> {
  const { server, connectTimeoutMs, clock } = target
  let current: Socket | undefined
  let timedOut = false
  const timer = clock.setTimer(connectTimeoutMs, () => {
    timedOut = true
    current?.destroy()
  })
  const track = (socket: Socket): void => {
    current = socket
    target.onSocket?.(socket)
    // Between two stages nobody listens; an error then still ends in a `close` that the next stage sees.
    socket.on('error', () => {})
    if (timedOut) socket.destroy()
  }
  try {
    const raw = await openRaw(target, track)
    const socket = target.tls === undefined ? raw : await secure(raw, target, target.tls, track)
    if (timedOut) throw new Error('too late')
    return socket
  } catch (error) {
    current?.destroy()
    if (timedOut) {
      throw new ConnectionError({
        server,
        reason: 'timeout',
        explanation: `no connection within ${connectTimeoutMs} ms. Check the address, a firewall or a proxy.`,
        cause: error,
      })
    }
    throw explainConnectionFailure(server, error)
  } finally {
    timer.cancel()
  }
}

async function openRaw(target: SocketTarget, track: (socket: Socket) => void): Promise<Socket> {
  const { host, port, proxy, server } = target
  if (proxy === undefined) {
    const socket = connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 })
    track(socket)
    await nextEvent(socket, 'connect')
    return socket
  }
  try {
    return await connectThroughProxy(proxy, { host, port }, track)
  } catch (error) {
    const cause = toError(error)
    throw new ConnectionError({
      server,
      reason: 'proxy',
      explanation: `through the proxy ${proxy.protocol}//${proxy.host}:${proxy.port}: ${cause.message}. Check the proxy's address and rules.`,
      cause,
    })
  }
}

async function secure(
  raw: Socket,
  target: SocketTarget,
  tls: NonNullable<SocketTarget['tls']>,
  track: (socket: Socket) => void,
): Promise<Socket> {
  // TLS has no server name for an IP address; the certificate is then checked against the address.
  const serverName = tls.serverName ?? (isIP(target.host) === 0 ? target.host : undefined)
  const socket = connectTls({
    socket: raw,
    host: target.host,
    ...(serverName !== undefined && { servername: serverName }),
    secureContext: tls.secureContext,
    rejectUnauthorized: !tls.insecureSkipVerify,
    ALPNProtocols: ['http/1.1'],
  })
  track(socket)
  await nextEvent(socket, 'secureConnect')
  return socket
}
