import type { Transport } from '../../objects/index.js'

/**
 * A transport that asks for each write whether this process still leads: `assertLeading` of an elector. Reads pass.
 *
 * It asks twice: at once, below the retries and waits of a client, and again when a connection stands, directly before the
 * first byte leaves. So neither a request that slept through the loss nor one whose connection took that long is sent. What was
 * handed to the network before the loss is not called back; the difference between lease and renew deadline is there for it.
 */
export function fenceWrites(transport: Transport, assertLeading: () => void): Transport {
  return async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return transport(request)
    assertLeading()
    const beforeSend = (): void => {
      request.beforeSend?.()
      assertLeading()
    }
    return transport({ ...request, beforeSend })
  }
}
