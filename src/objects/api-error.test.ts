import { describe, expect, test } from 'vitest'
import {
  ApiError,
  isAlreadyExists,
  isApiError,
  isApplyConflict,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNamespaceTerminating,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceVersionTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from './api-error.js'

const failure = (
  httpStatus: number,
  reason?: string,
  causes: { reason: string }[] = [],
  message = 'no',
): ApiError =>
  new ApiError({
    request: 'create foos.example.com default/x',
    httpStatus,
    status: { kind: 'Status', message, ...(reason !== undefined && { reason }), details: { causes } },
  })

test('an ApiError says what was asked, what the server answered, and why', () => {
  const error = failure(404, 'NotFound', [], 'foos.example.com "x" not found')
  expect(error).toMatchObject({ code: 'KW_API_ERROR', reason: 'NotFound', httpStatus: 404, causes: [] })
  expect(error.message).toBe(
    'create foos.example.com default/x: foos.example.com "x" not found (NotFound, HTTP 404)',
  )
  expect(failure(502).reason).toBe('Unknown')
})

describe('the tests for a reason', () => {
  const cases = [
    [isNotFound, 404, 'NotFound'],
    [isAlreadyExists, 409, 'AlreadyExists'],
    [isConflict, 409, 'Conflict'],
    [isForbidden, 403, 'Forbidden'],
    [isUnauthorized, 401, 'Unauthorized'],
    [isInvalid, 422, 'Invalid'],
    [isBadRequest, 400, 'BadRequest'],
    [isTooManyRequests, 429, 'TooManyRequests'],
    [isServerTimeout, 500, 'ServerTimeout'],
    [isTimeout, 504, 'Timeout'],
    [isInternalError, 500, 'InternalError'],
    [isServiceUnavailable, 503, 'ServiceUnavailable'],
    [isRequestEntityTooLarge, 413, 'RequestEntityTooLarge'],
    [isMethodNotSupported, 405, 'MethodNotAllowed'],
    [isExpired, 410, 'Expired'],
  ] as const

  test.each(cases)(
    'each is true for its own reason and false for the others: %o',
    (isIt, httpStatus, reason) => {
      expect(isIt(failure(httpStatus, reason))).toBe(true)
      for (const [, otherStatus, otherReason] of cases) {
        const isOther = otherReason !== reason
        expect(isIt(failure(otherStatus, otherReason))).toBe(!isOther)
      }
      expect(isIt(new Error('no'))).toBe(false)
      expect(isIt(undefined)).toBe(false)
    },
  )

  test.each([
    [isNotFound, 404],
    [isConflict, 409],
    [isForbidden, 403],
    [isTooManyRequests, 429],
    [isExpired, 410],
    [isServiceUnavailable, 503],
  ])('the HTTP status decides when a proxy answered without a reason', (isIt, httpStatus) => {
    expect(isIt(failure(httpStatus))).toBe(true)
  })

  test('an expired resource has two reasons', () => {
    expect(isExpired(failure(410, 'Gone'))).toBe(true)
  })
})

describe('the tests for a cause', () => {
  test('a conflict of field managers is no conflict that a retry could solve', () => {
    const error = failure(409, 'Conflict', [{ reason: 'FieldManagerConflict' }])
    expect(isApplyConflict(error)).toBe(true)
    expect(isConflict(error)).toBe(false)
  })

  test('a terminating namespace is told by its cause', () => {
    expect(isNamespaceTerminating(failure(403, 'Forbidden', [{ reason: 'NamespaceTerminating' }]))).toBe(true)
    expect(isNamespaceTerminating(failure(403, 'Forbidden'))).toBe(false)
  })

  test('a resourceVersion from the future is told by its cause, and by its message on older servers', () => {
    expect(isResourceVersionTooLarge(failure(504, 'Timeout', [{ reason: 'ResourceVersionTooLarge' }]))).toBe(
      true,
    )
    expect(
      isResourceVersionTooLarge(failure(504, 'Timeout', [], 'Too large resource version: 5, current: 3')),
    ).toBe(true)
    expect(isResourceVersionTooLarge(failure(504, 'Timeout'))).toBe(false)
  })
})

test('isApiError tells answers of the server from everything else', () => {
  expect(isApiError(failure(500))).toBe(true)
  expect(isApiError(new Error('socket closed'))).toBe(false)
})
