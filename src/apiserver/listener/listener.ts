import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { KubewrightError, systemClock, toError } from '../../base/index.js'
import { type KeyedCertificate } from '../../base/x509/index.js'
import type { TransportRequest, TransportResponse } from '../../objects/index.js'
import type { Credentials } from '../auth/authenticator.js'
import type { ReceivedRequest } from '../router.js'
import type { User } from '../user.js'
import { createCertificateReader } from './certificate-user.js'
import { readBody } from './read-body.js'
import { isWatchUpgrade, serveWatchSocket, subprotocolToken } from './watch-socket.js'
import { writeAnswer } from './write-answer.js'

/** What stands behind a listener. Never rejects but for requests that were aborted. */
export type RequestHandler = (
  request: ReceivedRequest,
  credentials: Credentials,
) => Promise<TransportResponse>

export interface ListenOptions {
  /** An address of this machine. Loopback, unless `isExposed`. */
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** Listen on an address that other machines can reach. */
  readonly isExposed: boolean
  readonly serving: KeyedCertificate
  /** PEM of the authority whose client certificates are believed. */
  readonly clientAuthority: string
  /** How long clients may take to send a request; as the real server, unless told. */
  readonly patience?: Patience
}

/** Whoever sends more slowly is answered with 408, or just cut off: open connections are not free. */
export interface Patience {
  /** For the first line and the headers. */
  readonly headersMs: number
  /** For all of it. */
  readonly requestMs: number
}

export interface Listener {
  readonly host: string
  readonly port: number
  /** Lets requests wait, as behind a broken network; connections stay open. */
  pause(): void
  /** Answers what has waited. */
  resume(): void
  /** Refuses new connections, lets answers end for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>
}

/** The server would be reachable from other machines. */
export class ExposedServerError extends KubewrightError {
  constructor(host: string) {
    super(
      `The API server would listen on ${host}, where other machines reach it: choose 127.0.0.1 or ::1, ` +
        'or say that this is meant (`expose`).',
      { code: 'KW_API_SERVER_EXPOSED' },
    )
  }
}

/** The address or the port cannot be listened on. */
export class ListenError extends KubewrightError {
  constructor(host: string, port: number, cause: Error) {
    super(`The API server cannot listen on ${host}:${port} (${cause.message}): choose another port.`, {
      code: 'KW_API_SERVER_LISTEN',
      cause,
    })
  }
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

// Longer than clients keep an idle connection (90 s in Go): the one who opened it should be the one to close it.
const keepAliveMs = 120_000
const longestHeaderBytes = 1024 * 1024
const usualPatience: Patience = { headersMs: 32_000, requestMs: 60_000 }

/** Serves the API on HTTPS. Clients may show a certificate; whether they must show anything, the handler decides. */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listener> {
  if (!loopbackHosts.has(options.host) && !options.isExposed) throw new ExposedServerError(options.host)
  const { headersMs, requestMs } = options.patience ?? usualPatience
  const { createServer } = await import('node:https')
  const server = createServer({
    cert: options.serving.cert,
    key: options.serving.key,
    ca: options.clientAuthority,
    requestCert: true,
    // A bad certificate is a request without credentials, which gets an answer that says so.
    rejectUnauthorized: false,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: longestHeaderBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersMs, 10_000),
  })
  const certificateUserOf = createCertificateReader()
  let paused: Promise<void> | undefined
  let endPause: () => void = () => {}
  const receive = async (incoming: IncomingMessage, signal: AbortSignal): Promise<TransportResponse> => {
    const credentials = credentialsOf(incoming, certificateUserOf(incoming))
    const body = await readBody(incoming)
    await paused
    return handler(
      {
        // Other methods get their answer from the handler too: that there is no such thing.
        method: incoming.method as TransportRequest['method'],
        path: pathOf(incoming.url ?? '/'),
        // Node joins repeated headers, except for set-cookie, which no client sends.
        headers: incoming.headers as Readonly<Record<string, string>>,
        ...(isImpersonating(incoming) && { distinctHeaders: incoming.headersDistinct }),
        ...(body !== undefined && { body }),
        signal,
      },
      credentials,
    )
  }
  server.on('request', (incoming, outgoing) => {
    const abort = new AbortController()
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) abort.abort()
    })
    const answer = async (): Promise<void> =>
      writeAnswer(await receive(incoming, abort.signal), outgoing, incoming)
    // The client has gone, or its body was cut off: there is nobody to answer.
    answer().catch(() => outgoing.destroy())
  })
  // Node forgets connections that were upgraded: it would wait for them when it closes, and never cut them.
  const upgraded = new Set<Socket>()
  server.on('upgrade', (incoming, _, head) => {
    if (!isWatchUpgrade(incoming, pathOf(incoming.url ?? '/'))) {
      declineUpgrade(server, incoming, head)
      return
    }
    const { socket } = incoming
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    void serveWatchSocket({ incoming, head, begin: (signal) => receive(incoming, signal) })
  })
  await bind(server, options)
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    host: options.host,
    port,
    pause() {
      paused ??= new Promise((resolve) => {
        endPause = resolve
      })
    },
    resume() {
      paused = undefined
      endPause()
    },
    close: (graceMs) => close(server, upgraded, graceMs),
  }
}

/** A client that takes the server for a proxy sends a whole URL: whose, does not matter. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}

/** Groups and more come in headers of the same name, and may hold commas. */
function isImpersonating({ headers }: IncomingMessage): boolean {
  return headers['impersonate-user'] !== undefined
}

function credentialsOf(incoming: IncomingMessage, certificateUser: User | undefined): Credentials {
  const { headers } = incoming
  const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? subprotocolToken(headers)
  return {
    ...(token !== undefined && { token }),
    ...(certificateUser !== undefined && { certificateUser }),
  }
}

/**
 * Node takes its hands off a connection as soon as an upgrade is asked for, body unread. Whoever is not granted one has
 * sent an ordinary request: it is read once more, without the wish.
 */
function declineUpgrade(server: Server, incoming: IncomingMessage, head: Buffer): void {
  const { socket, method, url, httpVersion, rawHeaders } = incoming
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  // Node reads headers as Latin-1: this gives back the bytes that came.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('secureConnection', socket)
}

function bind(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(host, port, toError(error))))
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

function close(server: Server, upgraded: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = systemClock.setTimer(graceMs, () => {
      server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    })
    server.close(() => {
      cut.cancel()
      resolve()
    })
    server.closeIdleConnections()
  })
}
