import { type Clock, throwIfAborted } from '../../base/index.js'
import type { TransportRequest, TransportResponse } from '../../objects/index.js'
import type { ClusterConfig, Credentials, Impersonation } from '../config/cluster-config.js'
import { TransportClosedError } from './connection-errors.js'
import { createConnectionPool } from './connection-pool.js'
import { exchange, StaleConnectionError } from './exchange.js'
import { writeRequestHead } from './http-head.js'
import type { NetworkTransport } from './network-transport.js'

export interface OpenTransportOptions {
  readonly config: ClusterConfig
  /** Of the server, checked. */
  readonly url: URL
  readonly clock: Clock
  readonly connectTimeoutMs: number
}

/** The part of a network transport that needs Node's network modules; see `createTransport`. */
export function openTransport(options: OpenTransportOptions): NetworkTransport {
  const { config, url, clock, connectTimeoutMs } = options
  const basePath = url.pathname === '/' ? '' : url.pathname.replace(/\/$/, '')
  const identity = config.impersonate === undefined ? [] : impersonationHeaders(config.impersonate)
  const pool = createConnectionPool({ config, url, clock, connectTimeoutMs })

  const attempt = async (request: TransportRequest, credentials: Credentials): Promise<TransportResponse> => {
    throwIfAborted(request.signal)
    const headers = ['host', url.host, ...identity]
    for (const name in request.headers) headers.push(name, request.headers[name] ?? '')
    if (credentials.authorization !== undefined) headers.push('authorization', credentials.authorization)
    if (request.body !== undefined) headers.push('content-length', String(Buffer.byteLength(request.body)))
    // A method that usually has a body says when it has none.
    else if (request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH')
      headers.push('content-length', '0')
    const head = writeRequestHead(request.method, basePath + request.path, headers)
    const certificate = credentials.clientCertificate
    return exchange({ request, head, pool, certificate, server: config.server, clock })
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
