import { type Clock, parseJson, type Random, sleep, throwIfAborted } from '../base/index.js'
import type { ApiRequest, Transport, TransportResponse } from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import { responseError } from './api-response.js'
import { UnexpectedResponseError, UnknownOutcomeError } from './call-errors.js'
import type { CallOptions } from './call-options.js'
import type { RateLimiter } from './rate-limit.js'
import { readText } from './response-body.js'
import { defaultMaxTries, retryDelayMs } from './retry-policy.js'
import {
  ConnectionLostError,
  IdleTimeoutError,
  NotHttpError,
  ResponseTimeoutError,
} from './transport/connection-errors.js'
import type { WarningReader } from './warnings.js'

/** Sends requests until the server says yes or a final no: the way of every call of a client. */
export interface ApiCaller {
  /** The first successful response, its body unread. Throws `ApiError` for a no. */
  send(request: ApiRequest, options: SendOptions): Promise<TransportResponse>
  /** The successful response's body as text. */
  text(request: ApiRequest, options: CallOptions): Promise<string>
  /** The successful response's body as data. */
  json(request: ApiRequest, options: CallOptions, parse?: (text: string) => unknown): Promise<unknown>
}

/** Options of one request, on top of those of every call. */
export interface SendOptions extends CallOptions {
  /** Longest silence inside the body; by default the time-out of the call. Zero: no limit. */
  readonly idleTimeoutMs?: number | undefined
  /** A request that lasts for minutes does not count against the rate limit, and is never compressed. */
  readonly isStream?: boolean
}

/** What a caller is made of. */
export interface ApiCallerOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly warnings: WarningReader
  readonly userAgent: string
  readonly compression: boolean
  readonly rateLimiter?: RateLimiter | undefined
}

const readTimeoutMs = 30_000
// The server gives up on a write after 60 seconds and says so. Hanging up before would make a clear answer an unknown one.
const writeTimeoutMs = 65_000

/** Sends nothing by itself. */
export function createApiCaller(options: ApiCallerOptions): ApiCaller {
  const { transport, clock, random, log, warnings, userAgent, compression, rateLimiter } = options

  const sendOnce = async (request: ApiRequest, call: SendOptions): Promise<TransportResponse> => {
    const { signal } = call
    throwIfAborted(signal)
    const timeoutMs = call.timeoutMs ?? (isRead(request) ? readTimeoutMs : writeTimeoutMs)
    const headers: Record<string, string> = { 'user-agent': userAgent, ...request.headers }
    if (compression && call.isStream !== true) headers['accept-encoding'] ??= 'gzip'
    const response = await transport({
      method: request.method,
      path: request.path,
      headers,
      headersTimeoutMs: timeoutMs,
      idleTimeoutMs: call.idleTimeoutMs ?? timeoutMs,
      ...(request.body !== undefined && { body: request.body }),
      ...(signal !== undefined && { signal }),
    })
    warnings.read(response.headers['warning'], request.description)
    if (response.status >= 200 && response.status < 300) return response
    throw await responseError(request, response, clock.now())
  }

  const send = async (request: ApiRequest, call: SendOptions): Promise<TransportResponse> => {
    const maxTries = call.maxTries ?? defaultMaxTries
    for (let tries = 1; ; tries++) {
      if (call.isStream !== true) await rateLimiter?.take(call.signal)
      try {
        return await sendOnce(request, call)
      } catch (error) {
        const delayMs = tries < maxTries ? retryDelayMs(request, error, tries, random) : undefined
        if (delayMs === undefined) throw withOutcome(request, error)
        log.debug('The request will be tried again.', { request: request.description, tries, delayMs, error })
        await sleep(clock, delayMs, call.signal)
      }
    }
  }

  const text = async (request: ApiRequest, call: CallOptions): Promise<string> => {
    const response = await send(request, call)
    try {
      return await readText(response.body)
    } catch (error) {
      throw withOutcome(request, error)
    }
  }

  const json = async (request: ApiRequest, call: CallOptions, parse = parseJson): Promise<unknown> => {
    const body = await text(request, call)
    try {
      return parse(body)
    } catch (error) {
      const found = body === '' ? 'an empty body' : 'something that is not JSON'
      throw new UnexpectedResponseError(request.description, found, error)
    }
  }

  return { send, text, json }
}

function isRead(request: ApiRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

/** The same failure means "try again" for a read and "nobody knows" for a write. */
function withOutcome(request: ApiRequest, error: unknown): unknown {
  const isAmbiguous =
    error instanceof ConnectionLostError ||
    error instanceof ResponseTimeoutError ||
    error instanceof NotHttpError ||
    error instanceof IdleTimeoutError
  return isAmbiguous && !isRead(request) ? new UnknownOutcomeError(request.description, error) : error
}
