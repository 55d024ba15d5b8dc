import { Agent, type ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type Clock, toError } from '../../base/index.js'
import type { ClusterConfig, Credentials } from '../config/cluster-config.js'
import { ConnectionError, TransportClosedError } from './connection-errors.js'
import { openSocket } from './open-socket.js'
import { parseProxy } from './proxy.js'

type ClientCertificate = NonNullable<Credentials['clientCertificate']>

/** Kept-alive connections to one server, as one identity. */
export interface ConnectionPool {
  /** Connections that present this client certificate. When it changes, those of the old one end after their requests. */
  agentFor(certificate: ClientCertificate | undefined): Agent
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
const idleSocketMs = 30_000

/** Opens no connection before the first request. */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const { config, url, clock, connectTimeoutMs } = options
  const server = config.server
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const proxy = config.proxyUrl === undefined ? undefined : parseProxy(server, config.proxyUrl)

  let closed = false
  let current: { readonly agent: Agent; readonly certificate: ClientCertificate | undefined } | undefined
  const draining = new Set<Agent>()
  const connecting = new Set<Socket>()
  const secureContextFor = rememberLast(
    (ca: string | undefined, certificate: ClientCertificate | undefined) =>
      createContext(server, ca, certificate),
  )

  const open = async (certificate: ClientCertificate | undefined): Promise<Duplex> => {
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
      const socket = await opening
      if (!closed) return socket
      socket.destroy()
      throw new TransportClosedError()
    } finally {
      for (const socket of opened) connecting.delete(socket)
    }
  }

  return {
    agentFor(certificate) {
      if (current !== undefined && isSameCertificate(current.certificate, certificate)) return current.agent
      if (current !== undefined) {
        drain(current.agent)
        draining.add(current.agent)
      }
      for (const agent of draining) if (Object.keys(agent.sockets).length === 0) draining.delete(agent)
      current = { agent: new SocketAgent(() => open(certificate)), certificate }
      return current.agent
    },
    dropIdle() {
      if (current !== undefined) destroyIdle(current.agent)
    },
    close() {
      closed = true
      current?.agent.destroy()
      for (const agent of draining) agent.destroy()
      for (const socket of connecting) socket.destroy()
    },
    get isClosed() {
      return closed
    },
  }
}

/** Node's own pool; only the way to a new socket is ours. */
class SocketAgent extends Agent {
  readonly #open: () => Promise<Duplex>

  constructor(open: () => Promise<Duplex>) {
    // No limit on sockets: on HTTP/1.1 every watch holds one, and no request may queue behind a watch.
    super({ keepAlive: true, timeout: idleSocketMs })
    this.#open = open
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    void this.#deliver(callback)
  }

  async #deliver(callback: ((error: Error | null, socket: Duplex) => void) | undefined): Promise<void> {
    let socket: Duplex
    try {
      socket = await this.#open()
    } catch (error) {
      // Node reads the second argument only when the first is null.
      return callback?.(toError(error), undefined as never)
    }
    callback?.(null, socket)
  }

  // All sockets of this pool lead to the same place: one bucket.
  override getName(): string {
    return ''
  }
}

function drain(agent: Agent): void {
  agent.maxFreeSockets = 0
  destroyIdle(agent)
}

function destroyIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
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
      ...(ca !== undefined && { ca }),
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
