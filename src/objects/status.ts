import { isPlainObject } from '../base/index.js'

/** Why a request failed, in detail: for a validation error one cause for each field. */
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The API server's answer when it has no object to return. */
export interface Status {
  readonly apiVersion?: string
  readonly kind: 'Status'
  readonly status?: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

/** Reads a Status from untrusted data; undefined when it is something else. */
export function parseStatus(value: unknown): Status | undefined {
  if (!isPlainObject(value) || value['kind'] !== 'Status') return undefined
  const { apiVersion, status, message, reason, code } = value
  const details = parseDetails(value['details'])
  return {
    kind: 'Status',
    ...(typeof apiVersion === 'string' && { apiVersion }),
    ...((status === 'Success' || status === 'Failure') && { status }),
    ...(typeof message === 'string' && { message }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof code === 'number' && { code }),
    ...(details !== undefined && { details }),
  }
}

function parseDetails(value: unknown): StatusDetails | undefined {
  if (!isPlainObject(value)) return undefined
  const { retryAfterSeconds, causes } = value
  return {
    ...strings(value, ['name', 'group', 'kind', 'uid'] as const),
    ...(Array.isArray(causes) && {
      causes: causes
        .filter(isPlainObject)
        .map((cause) => strings(cause, ['reason', 'message', 'field'] as const)),
    }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  }
}

function strings<K extends string>(
  value: Record<string, unknown>,
  keys: readonly K[],
): { [P in K]?: string } {
  const found: { [P in K]?: string } = {}
  for (const key of keys) {
    const member = value[key]
    if (typeof member === 'string') found[key] = member
  }
  return found
}
