import { type Clock, systemClock } from '../../base/index.js'
import type { Transport, TransportRequest, TransportResponse } from '../../objects/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import type { ClusterConfig } from '../config/cluster-config.js'
import { InvalidServerError, TransportClosedError } from './connection-errors.js'

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
  if (config.trust.insecureSkipVerify && url.protocol === 'https:') {
    log.warn('The server certificate is not verified: anybody on the way can read and change what is sent.', {
      server: config.server,
      origin: config.origin,
    })
  }
  // Node's network modules are a third of what a program would load with this package, and many never send a request.
  let opened: NetworkTransport | undefined
  let isClosed = false
  const open = async (): Promise<NetworkTransport> => {
    const { openTransport } = await import('./open-transport.js')
    if (isClosed) throw new TransportClosedError()
    opened ??= openTransport({ config, url, clock, connectTimeoutMs })
    return opened
  }
  const send = async (request: TransportRequest): Promise<TransportResponse> =>
    (opened ?? (await open()))(request)
  const close = (): void => {
    isClosed = true
    opened?.close()
  }
  return Object.assign(send, { close })
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
