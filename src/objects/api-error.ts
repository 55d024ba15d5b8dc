import { KubewrightError } from '../base/index.js'
import type { Status, StatusCause } from './status.js'

export interface ApiErrorOptions {
  /** What was asked, for people: `create foos.example.com default/foo-sample`. */
  readonly request: string
  readonly status: Status
  /** The HTTP status code. */
  readonly httpStatus: number
  /** From the Retry-After header, where the server sent one. */
  readonly retryAfterMs?: number
}

/** The API server answered, and the answer is no. Branch with `isNotFound(error)` and its siblings. */
export class ApiError extends KubewrightError {
  readonly request: string
  readonly status: Status
  readonly httpStatus: number
  readonly retryAfterMs: number | undefined

  constructor(options: ApiErrorOptions) {
    const { request, status, httpStatus, retryAfterMs } = options
    super(
      `${request}: ${status.message ?? 'no message'} (${status.reason ?? 'Unknown'}, HTTP ${httpStatus})`,
      {
        code: 'KW_API_ERROR',
      },
    )
    this.request = request
    this.status = status
    this.httpStatus = httpStatus
    this.retryAfterMs = retryAfterMs
  }

  /** The server's word for why: `NotFound`, `Conflict`, `Invalid`... `Unknown` when it gave none. */
  get reason(): string {
    return this.status.reason ?? 'Unknown'
  }

  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? []
  }
}

/** An ApiError whose reason is known. */
export type ApiErrorOf<Reason extends string> = ApiError & { readonly reason: Reason }

/** Tells one kind of API error from all others, whatever was thrown. */
export type ApiErrorTest<Reason extends string> = (error: unknown) => error is ApiErrorOf<Reason>

// Some proxies and old servers answer without a reason; then the HTTP status decides.
const hasReason =
  <Reason extends string>(reason: Reason, httpStatus?: number): ApiErrorTest<Reason> =>
  (error): error is ApiErrorOf<Reason> =>
    error instanceof ApiError &&
    (error.status.reason === reason || (error.status.reason === undefined && error.httpStatus === httpStatus))

const hasCause = (error: unknown, reason: string): error is ApiError =>
  error instanceof ApiError && error.causes.some((cause) => cause.reason === reason)

/** The server answered with an error, whichever. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError
}

export const isNotFound: ApiErrorTest<'NotFound'> = hasReason('NotFound', 404)
export const isAlreadyExists: ApiErrorTest<'AlreadyExists'> = hasReason('AlreadyExists')
export const isForbidden: ApiErrorTest<'Forbidden'> = hasReason('Forbidden', 403)
export const isUnauthorized: ApiErrorTest<'Unauthorized'> = hasReason('Unauthorized', 401)
export const isInvalid: ApiErrorTest<'Invalid'> = hasReason('Invalid', 422)
export const isBadRequest: ApiErrorTest<'BadRequest'> = hasReason('BadRequest', 400)
export const isTooManyRequests: ApiErrorTest<'TooManyRequests'> = hasReason('TooManyRequests', 429)
export const isServerTimeout: ApiErrorTest<'ServerTimeout'> = hasReason('ServerTimeout')
export const isTimeout: ApiErrorTest<'Timeout'> = hasReason('Timeout', 504)
export const isInternalError: ApiErrorTest<'InternalError'> = hasReason('InternalError', 500)
export const isServiceUnavailable: ApiErrorTest<'ServiceUnavailable'> = hasReason('ServiceUnavailable', 503)
export const isRequestEntityTooLarge: ApiErrorTest<'RequestEntityTooLarge'> = hasReason(
  'RequestEntityTooLarge',
  413,
)
export const isMethodNotSupported: ApiErrorTest<'MethodNotAllowed'> = hasReason('MethodNotAllowed', 405)

/** The object changed since it was read: read it again and repeat the change. Not an apply conflict. */
export function isConflict(error: unknown): error is ApiErrorOf<'Conflict'> {
  return hasReason('Conflict', 409)(error) && !isApplyConflict(error)
}

/** Another field manager owns a field that was applied. Retrying does not help: force, or leave the field alone. */
export function isApplyConflict(error: unknown): error is ApiErrorOf<'Conflict'> {
  return hasCause(error, 'FieldManagerConflict')
}

/** The resourceVersion or continue token is too old (HTTP 410): list again. */
export function isExpired(error: unknown): error is ApiErrorOf<'Expired' | 'Gone'> {
  return (
    error instanceof ApiError &&
    (error.reason === 'Expired' || error.reason === 'Gone' || error.httpStatus === 410)
  )
}

/** The server has not yet reached the resourceVersion that was asked for. */
export function isResourceVersionTooLarge(error: unknown): error is ApiErrorOf<'Timeout'> {
  return (
    hasCause(error, 'ResourceVersionTooLarge') ||
    (isTimeout(error) && (error.status.message ?? '').includes('Too large resource version'))
  )
}

/** Nothing can be created here any more: the namespace is going away. */
export function isNamespaceTerminating(error: unknown): error is ApiErrorOf<'Forbidden'> {
  return hasCause(error, 'NamespaceTerminating')
}
