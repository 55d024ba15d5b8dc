import { setMaxListeners } from 'node:events'
import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { abortReason, type Clock, isKubewrightError, toError } from '../../base/index.js'
import type { TransportRequest, TransportResponse } from '../../objects/index.js'
import { BodyStream } from './body-stream.js'
import {
  ConnectionLostError,
  ContentEncodingError,
  IdleTimeoutError,
  InvalidRequestError,
  NotHttpError,
  ResponseTimeoutError,
} from './connection-errors.js'
import { codeOf, explainConnectionFailure, isTlsFailure } from './connection-failure.js'

/** One request, ready to be written to a connection. */
export interface ExchangeOptions {
  readonly request: TransportRequest
  readonly agent: Agent
  /** The server's base URL, for messages. */
  readonly server: string
  /** The path with the server's own path before it. */
  readonly path: string
  /** Names and values in turn, credentials included. */
  readonly headers: readonly string[]
  readonly clock: Clock
  /** The error to report instead when the transport has been closed meanwhile. */
  readonly closedError: () => Error | undefined
}

/** What {@link exchange} rejects with when a kept connection turned out to be dead: the server never saw the request. */
export class StaleConnectionError extends ConnectionLostError {}

/** One request and its response on one connection. */
export function exchange(options: ExchangeOptions): Promise<TransportResponse> {
  const { request, agent, server, clock, closedError } = options
  const { signal, headersTimeoutMs } = request
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortReason(signal))
    let outgoing: ClientRequest
    try {
      outgoing = httpRequest({
        agent,
        method: request.method,
        path: options.path,
        headers: options.headers,
        maxHeaderSize: 64 * 1024,
      })
    } catch (error) {
      return reject(new InvalidRequestError(toError(error)))
    }
    let isAssigned = false
    let body: BodyStream | undefined

    const release = (): void => {
      timer?.cancel()
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (error: Error): void => {
      release()
      reject(error)
      outgoing.destroy()
    }
    const onAbort = (): void => {
      const reason = abortReason(signal)
      if (body === undefined) fail(reason)
      else body.fail(reason)
    }
    const timer =
      headersTimeoutMs === undefined || headersTimeoutMs === 0
        ? undefined
        : clock.setTimer(headersTimeoutMs, () => fail(new ResponseTimeoutError(server, headersTimeoutMs)), {
            background: true,
          })
    if (signal !== undefined) {
      // One signal for a hundred parallel requests is no leak: each takes its listener away.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', onAbort)
    }

    // The pool hands out sockets whose handshake is done, so before this event certainly nothing was sent.
    // What is sent leaves in the same turn, right after the listeners.
    outgoing.once('socket', () => {
      try {
        request.beforeSend?.()
        isAssigned = true
      } catch (error) {
        fail(toError(error))
      }
    })
    outgoing.once('response', (response) => {
      timer?.cancel()
      body = openBody(response, options, release)
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body })
    })
    // Stays to the end: an error after the response is told by the body, and must not be thrown by nobody.
    outgoing.on('error', (error) => {
      if (body !== undefined) return
      fail(closedError() ?? explainFailure(error, isAssigned, outgoing.reusedSocket, server))
    })
    outgoing.end(request.body)
  })
}

function explainFailure(error: Error, isAssigned: boolean, isReused: boolean, server: string): Error {
  if (isKubewrightError(error)) return error
  // With TLS 1.3 the server judges our certificate after the handshake; its alert means that it read no request.
  if (!isAssigned || isTlsFailure(error)) return explainConnectionFailure(server, error)
  if (codeOf(error).startsWith('HPE_')) return new NotHttpError(server, error)
  const Lost = isReused ? StaleConnectionError : ConnectionLostError
  return new Lost(server, 'before it answered', error)
}

function openBody(response: IncomingMessage, options: ExchangeOptions, onClose: () => void): BodyStream {
  const { request, server, clock, closedError } = options
  const idleTimeoutMs = request.idleTimeoutMs ?? 0
  const encoding = response.headers['content-encoding'] ?? 'identity'
  return new BodyStream({
    source: decode(response, encoding, server),
    clock,
    idleTimeoutMs,
    idleError: () => new IdleTimeoutError(server, idleTimeoutMs),
    toBodyError: (error) => {
      if (isKubewrightError(error)) return error
      // Node reports a damaged stream through codes such as Z_DATA_ERROR.
      if (codeOf(error).startsWith('Z_')) return new ContentEncodingError(server, encoding, error)
      return closedError() ?? new ConnectionLostError(server, 'in the middle of the answer', error)
    },
    onClose,
  })
}

function decode(response: IncomingMessage, encoding: string, server: string): Readable {
  if (encoding === 'identity') return response
  if (encoding !== 'gzip') {
    response.destroy(new ContentEncodingError(server, encoding))
    return response
  }
  // `pipeline` destroys both ends together and passes an error of the response on to the decoder.
  return pipeline(response, createGunzip(), () => {})
}

function headersOf(response: IncomingMessage): TransportResponse['headers'] {
  // Node joins repeated headers with commas, and commas occur inside warnings.
  const warning = response.headers['warning'] === undefined ? undefined : response.headersDistinct['warning']
  return warning === undefined ? response.headers : { ...response.headers, warning }
}
