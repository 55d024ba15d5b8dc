import type { Transport, TransportRequest, TransportResponse } from '../../objects/index.js'
import { WebhookCallError } from './webhook-answer.js'
import { parseRedirect } from './webhook-url.js'

/** Requests for one call, the first and those that redirects lead to. */
const requestLimit = 10

/** What is sent wherever the call leads. */
export type RedirectableRequest = Omit<TransportRequest, 'path'>

export interface RedirectedCall {
  readonly url: URL
  readonly request: RedirectableRequest
  /** How a url is reached. It is asked for every target anew, so that it can refuse each of them. */
  readonly transportTo: (url: URL) => Transport
  /** Told where the call has got to, which is what its errors are about. */
  readonly onTarget: (url: string) => void
}

/**
 * Sends a request and follows the redirects that keep its method and body (307, 308). All other answers are returned.
 * Rejects with {@link WebhookCallError} if there are too many of them or one leads away from https.
 */
export async function sendFollowingRedirects(call: RedirectedCall): Promise<TransportResponse> {
  const { request, transportTo, onTarget } = call
  let { url } = call
  for (let requests = 1; ; requests++) {
    const response = await transportTo(url)({ ...request, path: `${url.pathname}${url.search}` })
    const location = redirectOf(response)
    if (location === undefined) return response
    await discard(response)
    onTarget(location)
    if (requests === requestLimit) throw new WebhookCallError(`stopped after ${requestLimit} redirects`)
    url = parseRedirect(location, url)
    onTarget(url.href)
  }
}

function redirectOf({ status, headers }: TransportResponse): string | undefined {
  const { location } = headers
  return (status === 307 || status === 308) && typeof location === 'string' && location !== ''
    ? location
    : undefined
}

/** Frees the connection: kept if there is no body, closed if there is one, however long. */
async function discard({ body }: TransportResponse): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done !== true) await chunks.return?.()
}
