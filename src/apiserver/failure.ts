import type { ListMeta, Status, StatusCause, StatusDetails } from '../objects/index.js'
import { type FieldError, formatFieldErrors } from '../schema/index.js'
import { goQuote } from '../schema/internal.js'

interface FailureParts {
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: StatusDetails
  readonly headers?: Readonly<Record<string, string>>
  readonly metadata?: ListMeta
}

/**
 * A request that ends in a Status. Thrown anywhere below the router, which turns it into the answer; it never leaves the
 * server.
 */
export class ApiFailure extends Error {
  readonly status: Status & { readonly metadata: ListMeta; readonly code: number }
  readonly headers: Readonly<Record<string, string>>

  constructor({ code, reason, message, details, headers = {}, metadata = {} }: FailureParts) {
    super(message)
    this.name = 'ApiFailure'
    this.headers = headers
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason !== '' && { reason }),
      ...(details !== undefined && { details }),
      code,
    }
  }
}

/** The resource or the kind that a failure is about. The plural form in most, the kind in `invalid`. */
export interface Subject {
  readonly group: string
  readonly resource: string
}

const qualified = ({ group, resource }: Subject): string => (group === '' ? resource : `${resource}.${group}`)

const detailsOf = ({ group, resource }: Subject, name: string): StatusDetails => ({
  ...(name !== '' && { name }),
  ...(group !== '' && { group }),
  ...(resource !== '' && { kind: resource }),
})

export function notFound(subject: Subject, name: string): ApiFailure {
  return new ApiFailure({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(subject)} ${goQuote(name)} not found`,
    details: detailsOf(subject, name),
  })
}

export function alreadyExists(subject: Subject, name: string): ApiFailure {
  return new ApiFailure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(subject)} ${goQuote(name)} already exists`,
    details: detailsOf(subject, name),
  })
}

/** `why` says what stands against it. */
export function conflict(subject: Subject, name: string, why: string): ApiFailure {
  return new ApiFailure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(subject)} ${goQuote(name)}: ${why}`,
    details: detailsOf(subject, name),
  })
}

/** The write was based on a version that is not the current one. */
export function staleVersion(subject: Subject, name: string): ApiFailure {
  return conflict(
    subject,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

/** `subject.resource` is the kind here. */
export function invalid(subject: Subject, name: string, errors: readonly FieldError[]): ApiFailure {
  return new ApiFailure({
    code: 422,
    reason: 'Invalid',
    message: `${qualified(subject)} ${goQuote(name)} is invalid: ${formatFieldErrors(withoutRepeats(errors))}`,
    details: {
      ...detailsOf(subject, name),
      causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  })
}

/** Checks overlap: what two of them say is two causes, but one text. */
function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  const texts = new Set<string>()
  return errors.filter(({ field, message }) => {
    const text = `${field}: ${message}`
    if (texts.has(text)) return false
    texts.add(text)
    return true
  })
}

export function badRequest(message: string): ApiFailure {
  return new ApiFailure({ code: 400, reason: 'BadRequest', message })
}

export function unauthorized(): ApiFailure {
  return new ApiFailure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })
}

export function forbidden(
  subject: Subject,
  name: string,
  why: string,
  causes: readonly StatusCause[] = [],
): ApiFailure {
  const what = subject.resource === '' ? 'forbidden' : qualified(subject)
  const named = name === '' ? `${what} is forbidden` : `${what} ${goQuote(name)} is forbidden`
  return new ApiFailure({
    code: 403,
    reason: 'Forbidden',
    message: `${subject.resource === '' ? 'forbidden' : named}: ${why}`,
    details: { ...detailsOf(subject, name), ...(causes.length > 0 && { causes }) },
  })
}

export function methodNotSupported(subject: Subject, verb: string): ApiFailure {
  return new ApiFailure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${verb} is not supported on resources of kind "${qualified(subject)}"`,
    details: detailsOf(subject, ''),
  })
}

/** There is something at this path, but not for this method. */
export function methodNotAllowed(): ApiFailure {
  return new ApiFailure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  })
}

/** A resourceVersion or a continue token that is older than what the server remembers. */
export function expired(message: string, continueToken?: string): ApiFailure {
  return new ApiFailure({
    code: 410,
    reason: 'Expired',
    message,
    ...(continueToken !== undefined && { metadata: { continue: continueToken } }),
  })
}

export function internalError(message: string): ApiFailure {
  return new ApiFailure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  })
}

/** What the server has no resource for, at a path that looks like one. */
export function noSuchResource(): ApiFailure {
  return new ApiFailure({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  })
}

export function tooLargeBody(message: string): ApiFailure {
  return new ApiFailure({ code: 413, reason: 'RequestEntityTooLarge', message })
}

/** The request took longer than it may. */
export function timedOut(): ApiFailure {
  return new ApiFailure({
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    details: {},
  })
}
