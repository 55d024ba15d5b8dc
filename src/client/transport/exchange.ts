import { setMaxListeners } from 'node:events'
import { createGunzip } from 'node:zlib'
import { abortReason, type Clock, isKubewrightError, type Timer, toError } from '../../base/index.js'
import type { TransportRequest, TransportResponse } from '../../objects/index.js'
import type { Credentials } from '../config/cluster-config.js'
import { type BodySource, BodyStream } from './body-stream.js'
import {
  ConnectionLostError,
  ContentEncodingError,
  IdleTimeoutError,
  NotHttpError,
  ResponseTimeoutError,
  TransportClosedError,
} from './connection-errors.js'
import { explainConnectionFailure, isTlsFailure } from './connection-failure.js'
import type { ConnectionPool } from './connection-pool.js'
import type { ExchangeListener, HttpConnection } from './http-connection.js'
import { HttpProtocolError, type ResponseHead } from './http-head.js'

/** One request, ready to be written to a connection. */
export interface ExchangeOptions {
  readonly request: TransportRequest
  /** The request's head as text. */
  readonly head: string
  readonly pool: ConnectionPool
  readonly certificate: Credentials['clientCertificate']
  /** The server's base URL, for messages. */
  readonly server: string
  readonly clock: Clock
}

/** What {@link exchange} rejects with when a kept connection turned out to be dead: the server never saw the request. */
export class StaleConnectionError extends ConnectionLostError {}

/** One request and its response on one connection. */
export function exchange(options: ExchangeOptions): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    new Exchange(options, resolve, reject).begin()
  })
}

/** Where the pieces of a body go: straight into its stream, or through a decoder. */
interface BodyReceiver {
  push(piece: Buffer): void
  end(): void
}

class Exchange implements ExchangeListener {
  readonly #options: ExchangeOptions
  readonly #resolve: (response: TransportResponse) => void
  readonly #reject: (error: Error) => void
  #timer: Timer | undefined
  #connection: HttpConnection | undefined
  #body: BodyStream | undefined
  #receiver: BodyReceiver | undefined
  /** The connection is not ours any more, or has never been. */
  #isOver = false

  constructor(
    options: ExchangeOptions,
    resolve: (response: TransportResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
  }

  begin(): void {
    const { request, pool, certificate, server, clock } = this.#options
    const { signal, headersTimeoutMs } = request
    if (headersTimeoutMs !== undefined && headersTimeoutMs > 0)
      this.#timer = clock.setTimer(
        headersTimeoutMs,
        () => this.#fail(new ResponseTimeoutError(server, headersTimeoutMs)),
        { background: true },
      )
    if (signal !== undefined) {
      // One signal for a hundred parallel requests is no leak: each takes its listener away.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', this.#onAbort)
    }
    const idle = pool.takeIdle(certificate)
    if (idle !== undefined) return this.#send(idle)
    pool.open(certificate).then(
      (opened) => (this.#isOver ? pool.keep(opened) : this.#send(opened)),
      (error: unknown) => this.#fail(toError(error)),
    )
  }

  onHead(head: ResponseHead): void {
    const { headers, status } = head
    this.#timer?.cancel()
    this.#body = this.#openBody(headers['content-encoding'] ?? 'identity')
    this.#resolve({ status, headers, body: this.#body })
  }

  onBody(piece: Buffer): void {
    this.#receiver?.push(piece)
  }

  onEnd(): void {
    this.#isOver = true
    this.#receiver?.end()
  }

  onOpen(): void {
    this.#body?.watchForSilence()
  }

  onLost(error: Error): void {
    const { server, pool } = this.#options
    const closed = pool.isClosed ? new TransportClosedError() : undefined
    const isReused = this.#connection?.isReused === true
    if (this.#body === undefined) this.#fail(closed ?? explainFailure(error, isReused, server))
    else this.#body.fail(closed ?? new ConnectionLostError(server, 'in the middle of the answer', error))
  }

  #send(connection: HttpConnection): void {
    const { request, head, pool } = this.#options
    try {
      // What is sent leaves in the same turn: nothing can come between.
      request.beforeSend?.()
    } catch (error) {
      pool.keep(connection)
      return this.#fail(toError(error))
    }
    this.#connection = connection
    connection.send(request.method, head, request.body, this)
  }

  readonly #onAbort = (): void => {
    const reason = abortReason(this.#options.request.signal)
    if (this.#body === undefined) this.#fail(reason)
    else this.#body.fail(reason)
  }

  #fail(error: Error): void {
    this.#release()
    this.#isOver = true
    this.#reject(error)
    this.#connection?.destroy()
  }

  readonly #release = (): void => {
    this.#timer?.cancel()
    this.#options.request.signal?.removeEventListener('abort', this.#onAbort)
  }

  #openBody(encoding: string | readonly string[]): BodyStream {
    const { request, server, clock } = this.#options
    const idleTimeoutMs = request.idleTimeoutMs ?? 0
    const streamFrom = (source: BodySource): BodyStream =>
      new BodyStream({
        source,
        clock,
        idleTimeoutMs,
        idleError: () => new IdleTimeoutError(server, idleTimeoutMs),
        onClose: this.#release,
      })
    if (encoding === 'identity') {
      const body = streamFrom(this)
      this.#receiver = body
      return body
    }
    if (encoding === 'gzip') return this.#openGzip(streamFrom)
    const body = streamFrom(this)
    body.fail(new ContentEncodingError(server, String(encoding)))
    return body
  }

  #openGzip(streamFrom: (source: BodySource) => BodyStream): BodyStream {
    const decoder = createGunzip()
    const body = streamFrom({
      pause: () => decoder.pause(),
      resume: () => decoder.resume(),
      destroy: () => {
        decoder.destroy()
        this.destroy()
      },
    })
    decoder.on('data', (piece: Buffer) => body.push(piece))
    decoder.once('end', () => body.end())
    decoder.on('error', (error) => body.fail(new ContentEncodingError(this.#options.server, 'gzip', error)))
    decoder.on('drain', () => this.resume())
    this.#receiver = {
      push: (piece) => {
        if (!decoder.write(piece)) this.pause()
      },
      end: () => decoder.end(),
    }
    return body
  }

  // The exchange is the source of its body: after its end, the connection carries the request of somebody else.

  pause(): void {
    if (!this.#isOver) this.#connection?.pause()
  }

  resume(): void {
    if (!this.#isOver) this.#connection?.resume()
  }

  destroy(): void {
    if (!this.#isOver) this.#connection?.destroy()
  }
}

function explainFailure(error: Error, isReused: boolean, server: string): Error {
  if (isKubewrightError(error)) return error
  // With TLS 1.3 the server judges our certificate after the handshake; its alert means that it read no request.
  if (isTlsFailure(error)) return explainConnectionFailure(server, error)
  if (error instanceof HttpProtocolError) return new NotHttpError(server, error)
  const Lost = isReused ? StaleConnectionError : ConnectionLostError
  return new Lost(server, 'before it answered', error)
}
