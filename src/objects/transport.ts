/**
 * One HTTP exchange, reduced to what the Kubernetes API needs. A transport is a function from a request to a
 * response: the network is one, the embedded API server is one, a fault injector wraps one.
 *
 * A transport never follows redirects and throws only when no response arrived. It may send a request again only where
 * that cannot do anything twice: a read on a connection that had died, or a request that was refused for its credentials.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  /** Absolute path with its query, percent-encoded: `/apis/apps/v1/deployments?limit=500`. */
  readonly path: string
  /** Lower-case names. Credentials are added by the transport, never by its callers. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Aborting before the response rejects the call; aborting later fails the body. */
  readonly signal?: AbortSignal
  /**
   * Called when a connection stands, directly before the request is handed to it: nothing can come between. A throw means
   * that nothing is sent, and is what the call rejects with.
   */
  readonly beforeSend?: () => void
  /** Longest wait for the response's headers. */
  readonly headersTimeoutMs?: number
  /** Longest silence inside the body. Zero or absent: as long as the connection lives. */
  readonly idleTimeoutMs?: number
}

export interface TransportResponse {
  readonly status: number
  /** Lower-case names. Repeated headers are an array. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The decoded body. Leaving the iteration early closes the stream. */
  readonly body: AsyncIterable<Uint8Array>
}
