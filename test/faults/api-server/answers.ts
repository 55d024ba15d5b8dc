import type { ServerResponse } from 'node:http'

export interface StatusBody {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: 'Failure'
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: object
}

/** A Status as a server writes it. */
export function statusBody(code: number, reason: string, more: Partial<StatusBody> = {}): StatusBody {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message: `the peer says ${reason}`,
    ...more,
  }
}

/** The server has not come to this version yet. */
export const tooLarge: StatusBody = statusBody(504, 'Timeout', {
  message: 'Too large resource version: 999, current: 1',
  details: {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  },
})

export const expired: StatusBody = statusBody(410, 'Expired')

/** Writes an answer, whole. */
export type Answer = (response: ServerResponse) => void

export function json(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    const text = JSON.stringify(body)
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(text)
  }
}

/** A no, with its Status. */
export function refuse(code: number, reason: string, headers?: Readonly<Record<string, string>>): Answer {
  return json(code, statusBody(code, reason), headers)
}

/** A no in the words of something that stands in between. */
export function htmlPage(code: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'text/html', ...headers })
    response.end(`<html><body><h1>${code} Bad Gateway</h1>${'<p>nginx</p>'.repeat(500)}</body></html>`)
  }
}

/** Bytes as they are, for answers that no server should give. */
export function raw(
  code: number,
  headers: Readonly<Record<string, string | string[]>>,
  body: string | Buffer,
): Answer {
  return (response) => {
    response.writeHead(code, { ...headers })
    response.end(body)
  }
}

/** Accepts the request and never says a word. */
export const silence: Answer = () => {}
