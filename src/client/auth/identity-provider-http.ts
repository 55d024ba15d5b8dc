import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { abortReason, type Clock, raceAbort } from '../../base/index.js'
import { openSocket } from '../transport/open-socket.js'
import { parseProxy } from '../transport/proxy.js'

const timeoutMs = 30_000
const maxBytes = 1024 * 1024

/** One request to an identity provider. */
interface ProviderRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** PEM; absent: the authorities of the system. */
  readonly ca?: string
  readonly proxyUrl?: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** What the provider answered, whatever its status. */
export interface ProviderResponse {
  readonly status: number
  readonly body: string
}

/**
 * One exchange with an identity provider, on a connection of its own. Follows no redirect: the request may carry a
 * refresh token. Ends after 30 seconds and at 1 MiB. Errors name no secret.
 */
export async function askProvider(request: ProviderRequest): Promise<ProviderResponse> {
  const { url, clock, signal } = request
  const stop = new AbortController()
  const timer = clock.setTimer(timeoutMs, () =>
    stop.abort(new Error(`no answer within ${timeoutMs / 1000} s`)),
  )
  const both = AbortSignal.any([signal, stop.signal])
  try {
    const opening = openSocket({
      server: url.origin,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      ...(request.proxyUrl !== undefined && { proxy: parseProxy(url.origin, request.proxyUrl) }),
      ...(url.protocol === 'https:' && {
        tls: {
          secureContext: createSecureContext(
            request.ca === undefined ? {} : { ca: request.ca, allowPartialTrustChain: true },
          ),
          insecureSkipVerify: false,
        },
      }),
      connectTimeoutMs: timeoutMs,
      clock,
    })
    const socket = await raceAbort(opening, both).catch((error: unknown) => {
      // Nobody waits for the connection any more, but it may still come.
      opening.then((late) => late.destroy()).catch(() => undefined)
      throw error
    })
    try {
      return await exchange(socket, request, both)
    } finally {
      socket.destroy()
    }
  } catch (error) {
    if (both.aborted) throw abortReason(both)
    throw error
  } finally {
    timer.cancel()
  }
}

async function exchange(
  socket: Socket,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: request.url.pathname + request.url.search,
      headers: { ...request.headers, host: request.url.host, connection: 'close' },
      signal,
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end(request.body)
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    // Proof: without an encoding a response yields Buffers.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBytes) throw new Error('the answer is larger than 1 MiB')
    chunks.push(bytes)
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }
}
