import type { Random } from '../base/index.js'
import { ApiError, type ApiRequest } from '../objects/index.js'
import { ConnectionLostError } from './transport/connection-errors.js'

/** How often a request is tried at most, the first time included. */
export const defaultMaxTries = 10

/**
 * How long to wait before the request is tried again; undefined when it must not be.
 *
 * - 429 and 5xx with Retry-After: the server did nothing and says when to come back, so any verb may be repeated. Without
 *   the header it says neither.
 * - A lost connection: only reads.
 *
 * A part of the delay is random, so that a fleet of clients does not return at the same moment.
 */
export function retryDelayMs(
  request: ApiRequest,
  error: unknown,
  tries: number,
  random: Random,
): number | undefined {
  const asked = askedDelayMs(request, error)
  if (asked === undefined) return undefined
  // Grows too, because "Retry-After: 0" ten times in a row would be a hot loop.
  const grown = Math.min(100 * 2 ** (tries - 1), 5_000)
  return Math.max(asked, grown) * (1 + 0.1 * random())
}

function askedDelayMs(request: ApiRequest, error: unknown): number | undefined {
  if (error instanceof ApiError)
    return error.httpStatus === 429 || error.httpStatus >= 500 ? error.retryAfterMs : undefined
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && error instanceof ConnectionLostError ? 0 : undefined
}
