import { KubewrightError } from '../../base/index.js'

/** Why there is no connection. */
export type ConnectionFailure =
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'proxy'
  | 'closed'
  | 'other'

/** The facts of a failed connection. */
export interface ConnectionErrorOptions {
  /** The server's base URL, without credentials. */
  readonly server: string
  readonly reason: ConnectionFailure
  /** What went wrong and what to do, as the end of a sentence. */
  readonly explanation: string
  readonly cause?: unknown
}

/** There is no connection, so the request was certainly not sent: repeating it is safe. */
export class ConnectionError extends KubewrightError {
  readonly server: string
  readonly reason: ConnectionFailure

  constructor(options: ConnectionErrorOptions) {
    super(`Cannot connect to ${options.server}: ${options.explanation}`, {
      code: 'KW_CONNECTION',
      cause: options.cause,
    })
    this.server = options.server
    this.reason = options.reason
  }
}

/** The connection broke after the request was handed to it. Whether the server acted on it is not known. */
export class ConnectionLostError extends KubewrightError {
  readonly server: string

  constructor(server: string, when: string, cause?: unknown) {
    super(
      `The connection to ${server} was lost ${when}. A read may be repeated; check before repeating a write.`,
      {
        code: 'KW_CONNECTION_LOST',
        cause,
      },
    )
    this.server = server
  }
}

/** The server accepted the request and did not answer in time. Its connection has been closed. */
export class ResponseTimeoutError extends KubewrightError {
  readonly timeoutMs: number

  constructor(server: string, timeoutMs: number) {
    super(
      `${server} sent no answer within ${timeoutMs} ms. Check the server's load and the network path, or allow more time.`,
      { code: 'KW_RESPONSE_TIMEOUT' },
    )
    this.timeoutMs = timeoutMs
  }
}

/** A stream was silent for longer than allowed: the peer may be gone without a word. Its connection has been closed. */
export class IdleTimeoutError extends KubewrightError {
  readonly timeoutMs: number

  constructor(server: string, timeoutMs: number) {
    super(
      `${server} sent nothing for ${timeoutMs} ms; the connection was closed. Start again from the last version seen.`,
      { code: 'KW_IDLE_TIMEOUT' },
    )
    this.timeoutMs = timeoutMs
  }
}

/** The response's body cannot be decoded: an encoding that was not asked for, or damaged data. */
export class ContentEncodingError extends KubewrightError {
  constructor(server: string, encoding: string, cause?: unknown) {
    super(
      `${server} sent a body that cannot be decoded as ${JSON.stringify(encoding.slice(0, 40))}. ` +
        'Look for a proxy on the way that compresses or damages responses.',
      { code: 'KW_CONTENT_ENCODING', cause },
    )
  }
}

/** What answered does not speak HTTP. */
export class NotHttpError extends KubewrightError {
  constructor(server: string, cause: Error) {
    super(`${server} did not answer in HTTP (${cause.message}). Check the port, and what stands between.`, {
      code: 'KW_NOT_HTTP',
      cause,
    })
  }
}

/** The request holds what HTTP cannot carry. Nothing was sent. */
export class InvalidRequestError extends KubewrightError {
  constructor(cause: Error) {
    // Node names the header or the path, never a header's value.
    super(`The request cannot be sent: ${cause.message}. Correct its path or headers.`, {
      code: 'KW_INVALID_REQUEST',
      cause,
    })
  }
}

/** The transport was closed; it sends nothing any more. */
export class TransportClosedError extends KubewrightError {
  constructor() {
    super('The transport has been closed. Create a new client to go on.', { code: 'KW_TRANSPORT_CLOSED' })
  }
}

/** The server's address is not a URL that we can use. */
export class InvalidServerError extends KubewrightError {
  constructor(server: string) {
    super(
      `The server ${JSON.stringify(server.replace(/\/\/[^/]*@/, '//***@').slice(0, 200))} is not an http:// or https:// URL ` +
        'without user name and password. Correct it in the kubeconfig.',
      { code: 'KW_INVALID_SERVER' },
    )
  }
}
