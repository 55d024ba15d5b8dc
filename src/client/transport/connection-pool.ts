import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type Clock, type Timer, toError } from '../../base/index.js'
import type { ClusterConfig, Credentials } from '../config/cluster-config.js'
import { ConnectionError, TransportClosedError } from './connection-errors.js'
import { HttpConnection } from './http-connection.js'
import { openSocket } from './open-socket.js'
import { parseProxy } from './proxy.js'

type ClientCertificate = NonNullable<Credentials['clientCertificate']>

/** Kept-alive connections to one server, as one identity. */
export interface ConnectionPool {
  /**
   * A connection that presents this client certificate and waits for a request, if there is one. When the certificate
   * changes, those of the old one end after their requests.
   */
  takeIdle(certificate: ClientCertificate | undefined): HttpConnection | undefined
  /** A new one. There is no limit: every watch holds one, and no request may queue behind a watch. */
  open(certificate: ClientCertificate | undefined): Promise<HttpConnection>
  /** Keeps a connection that was opened and is not needed. */
  keep(connection: HttpConnection): void
  /** Closes the connections that nobody uses. */
  dropIdle(): void
  /** Closes all connections. Requests that run fail. */
  close(): void
  readonly isClosed: boolean
}

/** What a pool connects to. */
export interface PoolOptions {
  readonly config: ClusterConfig
  readonly url: URL
  readonly clock: Clock
  readonly connectTimeoutMs: number
}

// Many load balancers cut idle connections after a minute or less, kube-apiserver after 90 s. A connection that we close
// first is one less on which a write can fail with an unknown outcome.
const longestIdleMs = 30_000

/** Opens no connection before the first request. */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const { config, url, clock, connectTimeoutMs } = options
  const server = config.server
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const proxy = config.proxyUrl === undefined ? undefined : parseProxy(server, config.proxyUrl)

  let closed = false
  let current: ClientCertificate | undefined
  // The one used last is used next, so that those which a burst has opened grow old and go.
  const idle: HttpConnection[] = []
  /** All that are open, with the certificate that they present. */
  const connections = new Map<HttpConnection, ClientCertificate | undefined>()
  const connecting = new Set<Socket>()
  let idleTimer: Timer | undefined
  const secureContextFor = rememberLast(
    (ca: string | undefined, certificate: ClientCertificate | undefined) =>
      createContext(server, ca, certificate),
  )

  const keep = (connection: HttpConnection): void => {
    if (!isSameCertificate(connections.get(connection), current)) return connection.destroy()
    connection.idleSinceMs = clock.monotonic()
    connection.setIdle(true)
    idle.push(connection)
    idleTimer ??= clock.setTimer(longestIdleMs, dropAged, { background: true })
  }
  const owner = {
    released: keep,
    closed: (connection: HttpConnection): void => {
      connections.delete(connection)
      const at = idle.indexOf(connection)
      if (at !== -1) idle.splice(at, 1)
    },
  }

  /** The oldest stand first: one timer for all of them. */
  const dropAged = (): void => {
    idleTimer = undefined
    const nowMs = clock.monotonic()
    for (let oldest = idle[0]; oldest !== undefined; oldest = idle[0]) {
      const remainingMs = oldest.idleSinceMs + longestIdleMs - nowMs
      if (remainingMs > 0) {
        idleTimer = clock.setTimer(remainingMs, dropAged, { background: true })
        return
      }
      idle.shift()
      oldest.destroy()
    }
  }

  const dropIdle = (): void => {
    for (const connection of idle.splice(0)) connection.destroy()
  }

  const openConnected = async (certificate: ClientCertificate | undefined): Promise<Socket> => {
    const ca = isSecure ? await config.trust.ca() : undefined
    if (closed) throw new TransportClosedError()
    const opened: Socket[] = []
    const opening = openSocket({
      server,
      host,
      port,
      proxy,
      tls: isSecure
        ? {
            secureContext: secureContextFor(ca, certificate),
            serverName: config.trust.serverName,
            insecureSkipVerify: config.trust.insecureSkipVerify,
          }
        : undefined,
      connectTimeoutMs,
      clock,
      onSocket(socket) {
        opened.push(socket)
        connecting.add(socket)
      },
    })
    try {
      return await opening
    } finally {
      for (const socket of opened) connecting.delete(socket)
    }
  }

  return {
    takeIdle(certificate) {
      if (!isSameCertificate(current, certificate)) {
        current = certificate
        dropIdle()
      }
      for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
        if (!connection.isUsable) continue
        connection.setIdle(false)
        return connection
      }
      return undefined
    },
    async open(certificate) {
      let socket: Socket
      try {
        socket = await openConnected(certificate)
      } catch (error) {
        throw closed ? new TransportClosedError() : error
      }
      const connection = new HttpConnection(socket, owner)
      connections.set(connection, certificate)
      if (!closed) return connection
      connection.destroy()
      throw new TransportClosedError()
    },
    keep,
    dropIdle,
    close() {
      closed = true
      idleTimer?.cancel()
      for (const connection of connections.keys()) connection.destroy()
      for (const socket of connecting) socket.destroy()
    },
    get isClosed() {
      return closed
    },
  }
}

function isSameCertificate(
  left: ClientCertificate | undefined,
  right: ClientCertificate | undefined,
): boolean {
  return left === right || (left?.cert === right?.cert && left?.key === right?.key)
}

function createContext(
  server: string,
  ca: string | undefined,
  certificate: ClientCertificate | undefined,
): SecureContext {
  try {
    return createSecureContext({
      // As in Go, all that was given is trusted: also an authority below the root, or the server's own certificate.
      ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
      ...(certificate !== undefined && { cert: certificate.cert, key: certificate.key }),
    })
  } catch (error) {
    const what =
      certificate === undefined ? 'certificate authority' : 'certificate authority or client certificate'
    throw new ConnectionError({
      server,
      reason: 'tls',
      explanation: `the ${what} cannot be used (${toError(error).message.slice(0, 200)}). Check that it is valid PEM and that key and certificate belong together.`,
      cause: error,
    })
  }
}

/** Parsing a bundle of authorities takes milliseconds, and it hardly ever changes. */
function rememberLast<A, B, R>(make: (first: A, second: B) => R): (first: A, second: B) => R {
  let last: { readonly first: A; readonly second: B; readonly result: R } | undefined
  return (first, second) => {
    if (last === undefined || last.first !== first || last.second !== second)
      last = { first, second, result: make(first, second) }
    return last.result
  }
}
