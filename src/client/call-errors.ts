import { KubewrightError } from '../base/index.js'

/**
 * A write was sent and its answer never came: the server may or may not have done it. Never repeat it blindly; read the
 * object and decide. `cause` says how the answer was lost.
 */
export class UnknownOutcomeError extends KubewrightError {
  /** What was asked: `create foos.example.com default/foo-sample`. */
  readonly request: string

  constructor(request: string, cause: Error) {
    super(
      `${request}: the answer was lost (${cause.message}) and the server may have done it. Read the object before you repeat it.`,
      { code: 'KW_UNKNOWN_OUTCOME', cause },
    )
    this.request = request
  }
}

/** The server answered with success, but not with what was asked for. */
export class UnexpectedResponseError extends KubewrightError {
  readonly request: string

  constructor(request: string, found: string, cause?: unknown) {
    super(
      `${request}: the server answered with ${found}. Check that the address is an API server's, and what stands between.`,
      { code: 'KW_UNEXPECTED_RESPONSE', cause },
    )
    this.request = request
  }
}

/** The server sent us elsewhere. Redirects are never followed: they would carry the credentials along. */
export class RedirectError extends KubewrightError {
  readonly request: string
  readonly httpStatus: number
  /** Only the host of the new place: the rest of the address may hold secrets. */
  readonly locationHost: string

  constructor(request: string, httpStatus: number, locationHost: string) {
    super(
      `${request}: the server redirected (HTTP ${httpStatus}) to ${locationHost}, which is not followed. ` +
        'Use the final address of the API server in the configuration.',
      { code: 'KW_REDIRECT' },
    )
    this.request = request
    this.httpStatus = httpStatus
    this.locationHost = locationHost
  }
}
