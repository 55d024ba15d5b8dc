import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Clock, raceAbort, systemClock, toError } from '../../base/index.js'
import type { KeyedCertificate } from '../../base/x509/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import type { Runnable } from '../runnable.js'
import { untilAborted } from '../until-aborted.js'
import { type BindAddress, formatBindAddress, parseBindAddress } from './bind-address.js'
import { type HttpAnswer, type HttpHandler, textAnswer } from './http-handler.js'
import { ListenError } from './listen-error.js'
import type { ServingCertificate } from './serving-certificate.js'

export interface HttpServerOptions {
  /** For errors and logs: `health server`. */
  readonly name: string
  /** `:8081`, `127.0.0.1:0`, `[::1]:8080`; `0` or empty: no server. */
  readonly address: string
  readonly handler: HttpHandler
  /** Serve HTTPS with it. */
  readonly certificate?: ServingCertificate | undefined
  readonly log?: Logger | undefined
  readonly clock?: Clock | undefined
}

/** An HTTP server as a part of the process. It is ready when it listens. */
export interface HttpServer extends Runnable {
  readonly phase: 'http'
  /** Where it listens while it does. */
  readonly port: number | undefined
  ready(signal: AbortSignal): Promise<void>
}

// Node's own limits differ from those of the Go servers that probes and scrapers are used to.
const serverOptions: ServerOptions = {
  headersTimeout: 32_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 90_000,
  maxHeaderSize: 1_048_576,
  // How often the limits above are enforced; Node looks each 30 seconds otherwise.
  connectionsCheckingInterval: 5_000,
}

/** How long answers under way may take after the stop. */
const drainMs = 2_000

/**
 * A small server for pages of our own: GET and HEAD only, no bodies in, HTTP/1.1, TLS 1.2 or later. Throws
 * `InvalidBindAddressError`; its run fails with {@link ListenError}, or with what the first certificate failed with.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { name, handler, certificate, log = silentLogger, clock = systemClock } = options
  const address = parseBindAddress(options.address)
  let port: number | undefined
  let isStopping = false
  let onListening = (): void => {}
  const listening = new Promise<void>((resolve) => {
    onListening = resolve
  })

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      const answer = await answerRequest(handler, request, gone.signal)
      send(response, answer, isStopping)
    } catch (error) {
      if (gone.signal.aborted) return
      log.error('A request could not be answered.', { server: name, path: request.url, error })
      // A caller learns nothing of what went wrong.
      if (response.headersSent) response.destroy()
      else send(response, textAnswer(500, 'Internal Server Error'), isStopping)
    }
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void respond(request, response)
  const serve = async (
    server: Server | SecureServer,
    address: BindAddress,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      server.listen({ port: address.port, ...(address.host !== undefined && { host: address.host }) })
      await once(server, 'listening', { signal })
    } catch (error) {
      server.close()
      if (signal.aborted) return
      throw new ListenError(name, formatBindAddress(address), toError(error))
    }
    server.on('error', (error) => log.error('The server had an error and goes on.', { server: name, error }))
    // A server on a port has an address of this shape; only one on a pipe has a text.
    const bound = server.address() as AddressInfo
    port = bound.port
    log.info(`The ${name} listens.`, { address: formatBindAddress({ host: bound.address, port }) })
    onListening()
    await untilAborted(signal)
    isStopping = true
    await close(server, clock)
    port = undefined
  }

  return {
    name,
    phase: 'http',
    get port() {
      return port
    },
    async run(signal) {
      if (address === undefined || signal.aborted) return
      if (certificate === undefined) return serve(createServer(serverOptions, onRequest), address, signal)
      const tls = (pair: KeyedCertificate) => ({ ...pair, minVersion: 'TLSv1.2' as const })
      const first = await certificate.load(signal)
      const server = createSecureServer(
        { ...serverOptions, ...tls(first), ALPNProtocols: ['http/1.1'], handshakeTimeout: 10_000 },
        onRequest,
      )
      const following = new AbortController()
      const follow = certificate.follow((pair) => server.setSecureContext(tls(pair)), following.signal)
      try {
        await serve(server, address, signal)
      } finally {
        following.abort()
        await follow
      }
    },
    ready: (signal) => raceAbort(listening, signal),
  }
}

async function answerRequest(
  handler: HttpHandler,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { method, headers, url = '/' } = request
  if (method !== 'GET' && method !== 'HEAD')
    return textAnswer(405, 'Method Not Allowed', { allow: 'GET, HEAD' })
  const [path, query] = splitTarget(url)
  return handler({ method, path, query: new URLSearchParams(query), headers, signal })
}

function splitTarget(target: string): [string, string] {
  const mark = target.indexOf('?')
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

function send(response: ServerResponse, answer: HttpAnswer, isLast: boolean): void {
  if (response.destroyed) return
  response.writeHead(answer.status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(answer.body),
    ...answer.headers,
    ...(isLast && { connection: 'close' }),
  })
  response.end(answer.body)
}

async function close(server: Server | SecureServer, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.closeIdleConnections()
  const timer = clock.setTimer(drainMs, () => server.closeAllConnections())
  await closed
  timer.cancel()
}
