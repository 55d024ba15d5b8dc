import type { IncomingHttpHeaders } from 'node:http'

/** A request for one of our own pages: small, without a body. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD'
  /** Decoded by nobody: compare it with what you serve. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a request. A rejection is logged and answered with 500 and no word of why. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpAnswer>

/** An answer in plain text that ends its line. */
export function textAnswer(
  status: number,
  text: string,
  headers?: Readonly<Record<string, string>>,
): HttpAnswer {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: `${text}\n`,
  }
}
