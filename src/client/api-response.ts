import { parseJson } from '../base/index.js'
import {
  ApiError,
  type ApiRequest,
  parseStatus,
  type Status,
  type TransportResponse,
} from '../objects/index.js'
import { RedirectError } from './call-errors.js'
import { printable } from './config/printable.js'
import { readPrefix } from './response-body.js'
import { parseRetryAfter } from './retry-after.js'

// A Status lists every field of an invalid object; a page of a proxy says enough in its first lines.
const maxErrorBytes = 1024 * 1024
const maxQuotedLength = 500

/** The error for a response that is no success. Reads its body. */
export async function responseError(
  request: ApiRequest,
  response: TransportResponse,
  nowMs: number,
): Promise<ApiError | RedirectError> {
  const { status: httpStatus, headers } = response
  const text = await readPrefix(response.body, maxErrorBytes)
  if (httpStatus >= 300 && httpStatus < 400)
    return new RedirectError(request.description, httpStatus, locationHost(headers['location']))
  const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs)
  return new ApiError({
    request: request.description,
    status: readStatus(text) ?? inventStatus(request, httpStatus, text),
    httpStatus,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** The error for a Status that came inside a stream, where HTTP has long said 200. */
export function statusError(request: string, status: Status): ApiError {
  return new ApiError({ request, status, httpStatus: status.code ?? 500 })
}

function readStatus(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return parseStatus(parseJson(text))
  } catch {
    return undefined
  }
}

/** Proxies and overloaded servers answer with HTML, plain text or nothing. */
function inventStatus(request: ApiRequest, code: number, text: string): Status {
  const quoted = printable(text.trim().slice(0, maxQuotedLength))
  return {
    kind: 'Status',
    status: 'Failure',
    code,
    reason: reasonFor(request.method, code),
    message: quoted === '' ? `HTTP ${code} without an explanation` : `HTTP ${code}: ${quoted}`,
    details: { causes: [{ reason: 'UnexpectedServerResponse', message: quoted }] },
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function reasonFor(method: string, code: number): string {
  if (code === 409) return method === 'POST' ? 'AlreadyExists' : 'Conflict'
  return reasons[code] ?? (code >= 500 ? 'InternalError' : 'Unknown')
}

function locationHost(location: string | readonly string[] | undefined): string {
  const text = typeof location === 'string' ? location : location?.[0]
  if (text === undefined) return 'an unnamed place'
  try {
    return new URL(text, 'http://the-same-host').host
  } catch {
    return 'an unreadable address'
  }
}
