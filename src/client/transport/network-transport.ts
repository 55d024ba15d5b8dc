import { type Clock, systemClock, throwIfAborted } from '../../base/index.js'
import type { Transport, TransportRequest, TransportResponse } from '../../objects/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import type { ClusterConfig, Credentials, Impersonation } from '../config/cluster-config.js'
import { InvalidServerError, TransportClosedError } from './connection-errors.js'
import { createConnectionPool } from './connection-pool.js'
import { exchange, StaleConnectionError } from './exchange.js'

/** What a transport needs beside the cluster. */
export interface TransportOptions {
  readonly clock?: Clock
  readonly log?: Logger
  /** Longest wait for a usable connection: name lookup, proxy and TLS included. 10 seconds unless said otherwise. */
  readonly connectTimeoutMs?: number
}

/** A transport over the network: one pool of kept-alive connections for one cluster and one identity. */
export interface NetworkTransport extends Transport {
  /** Closes all connections at once. Requests that run fail with `KW_TRANSPORT_CLOSED`, and so do later ones. */
  close(): void
}

/**
 * Talks HTTP/1.1 to the cluster: credentials, TLS, impersonation and proxies are its business, retries are not. Two cases
 * are no retries in the eyes of the server, and it does repeat them, once: a read on a kept connection that was already
 * dead, and a request that was refused (401) with credentials that can be renewed.
 *
 * Throws `ConnectionError` when the request was certainly not sent; `ConnectionLostError` or `ResponseTimeoutError` when it
 * may have been; the signal's reason when it was aborted.
 */
export function createTransport(config: ClusterConfig, options: TransportOptions = {}): NetworkTransport {
  const { clock = systemClock, log = silentLogger, connectTimeoutMs = 10_000 } = options
  const url = parseServer(config.server)
  const basePath = url.pathname === '/' ? '' : url.pathname.replace(/\/$/, '')
  const identity = config.impersonate === undefined ? [] : impersonationHeaders(config.impersonate)
  const pool = createConnectionPool({ config, url, clock, connectTimeoutMs })
  const closedError = (): Error | undefined => (pool.isClosed ? new TransportClosedError() : undefined)
  if (config.trust.insecureSkipVerify && url.protocol === 'https:') {
    log.warn('The server certificate is not verified: anybody on the way can read and change what is sent.', {
      server: config.server,
      origin: config.origin,
    })
  }

  const attempt = (request: TransportRequest, credentials: Credentials): Promise<TransportResponse> => {
    const headers = ['host', url.host, ...identity]
    for (const name in request.headers) headers.push(name, request.headers[name] ?? '')
    if (credentials.authorization !== undefined) headers.push('authorization', credentials.authorization)
    if (request.body !== undefined) headers.push('content-length', String(Buffer.byteLength(request.body)))
    // Otherwise Node would announce a body in chunks.
    else if (request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH')
      headers.push('content-length', '0')
    return exchange({
      request,
      agent: pool.agentFor(credentials.clientCertificate),
      server: config.server,
      path: basePath + request.path,
      headers,
      clock,
      closedError,
    })
  }

  const attemptOnLiveConnection = async (
    request: TransportRequest,
    credentials: Credentials,
  ): Promise<TransportResponse> => {
    try {
      return await attempt(request, credentials)
    } catch (error) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead || !(error instanceof StaleConnectionError)) throw error
      // What cut one idle connection cut its neighbours too: the next one must be new.
      pool.dropIdle()
      return attempt(request, credentials)
    }
  }

  const send = async (request: TransportRequest): Promise<TransportResponse> => {
    throwIfAborted(request.signal)
    if (pool.isClosed) throw new TransportClosedError()
    const credentials = await config.credentials.get(request.signal)
    const response = await attemptOnLiveConnection(request, credentials)
    if (response.status !== 401 || !config.credentials.refused(credentials)) return response
    await discard(response)
    return attemptOnLiveConnection(request, await config.credentials.get(request.signal))
  }
  return Object.assign(send, { close: () => pool.close() })
}

/** Reads a short body to its end, so that the connection can be used again. */
async function discard(response: TransportResponse): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of response.body) {
      bytes += chunk.byteLength
      if (bytes > 64 * 1024) return
    }
  } catch {
    // The answer is already known; what is lost is only the connection.
  }
}

function parseServer(server: string): URL {
  let url: URL | undefined
  try {
    url = new URL(server)
  } catch {
    // Reported below, together with other schemes.
  }
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) throw new InvalidServerError(server)
  if (url.username !== '' || url.password !== '') throw new InvalidServerError(server)
  return url
}

function impersonationHeaders(impersonate: Impersonation): string[] {
  const headers = ['impersonate-user', impersonate.user]
  if (impersonate.uid !== undefined) headers.push('impersonate-uid', impersonate.uid)
  for (const group of impersonate.groups ?? []) headers.push('impersonate-group', group)
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    // The key is part of a header's name: what HTTP cannot have there is percent-encoded, and the server decodes it.
    const name = `impersonate-extra-${encodeHeaderName(key)}`
    for (const value of values) headers.push(name, value)
  }
  return headers
}

function encodeHeaderName(key: string): string {
  return [...Buffer.from(key.toLowerCase(), 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[a-z0-9!#$&'*+.^_`|~-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
