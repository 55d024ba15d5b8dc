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

const hasReason =
  (reason: string, httpStatus?: number) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError &&
    (error.status.reason === reason || (error.status.reason === undefined && error.httpStatus === httpStatus))

const hasCause =
  (reason: string) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && error.causes.some((cause) => cause.reason === reason)

type ApiErrorTest = (error: unknown) => error is ApiError

export const isApiError: ApiErrorTest = (error): error is ApiError => error instanceof ApiError
export const isNotFound: ApiErrorTest = hasReason('NotFound', 404)
export const isAlreadyExists: ApiErrorTest = hasReason('AlreadyExists')
export const isForbidden: ApiErrorTest = hasReason('Forbidden', 403)
export const isUnauthorized: ApiErrorTest = hasReason('Unauthorized', 401)
export const isInvalid: ApiErrorTest = hasReason('Invalid', 422)
export const isBadRequest: ApiErrorTest = hasReason('BadRequest', 400)
export const isTooManyRequests: ApiErrorTest = hasReason('TooManyRequests', 429)
export const isServerTimeout: ApiErrorTest = hasReason('ServerTimeout')
export const isTimeout: ApiErrorTest = hasReason('Timeout', 504)
export const isInternalError: ApiErrorTest = hasReason('InternalError', 500)
export const isServiceUnavailable: ApiErrorTest = hasReason('ServiceUnavailable', 503)
export const isRequestEntityTooLarge: ApiErrorTest = hasReason('RequestEntityTooLarge', 413)
export const isMethodNotSupported: ApiErrorTest = hasReason('MethodNotAllowed', 405)

/** The object changed since it was read: read it again and repeat the change. Not an apply conflict. */
export const isConflict: ApiErrorTest = (error): error is ApiError =>
  hasReason('Conflict', 409)(error) && !isApplyConflict(error)

/** Another field manager owns a field that was applied. Retrying does not help: force, or leave the field alone. */
export const isApplyConflict: ApiErrorTest = hasCause('FieldManagerConflict')

/** The resourceVersion or continue token is too old (HTTP 410): list again. */
export const isExpired: ApiErrorTest = (error): error is ApiError =>
  error instanceof ApiError &&
  (error.reason === 'Expired' || error.reason === 'Gone' || error.httpStatus === 410)

/** The server has not yet reached the resourceVersion that was asked for. */
export const isResourceVersionTooLarge: ApiErrorTest = (error): error is ApiError =>
  hasCause('ResourceVersionTooLarge')(error) ||
  (isTimeout(error) && (error.status.message ?? '').includes('Too large resource version'))

/** Nothing can be created here any more: the namespace is going away. */
export const isNamespaceTerminating: ApiErrorTest = hasCause('NamespaceTerminating')
