import type { Transport } from '../../objects/index.js'

/**
 * A transport that asks before each write whether this process still leads: `assertLeading` of an elector. Reads pass.
 *
 * It stands below the retries and waits of a client, so a request that slept through the loss is refused as well. What was
 * handed to the network before the loss is not called back; the difference between lease and renew deadline is there for it.
 */
export function fenceWrites(transport: Transport, assertLeading: () => void): Transport {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') assertLeading()
    return transport(request)
  }
}
