import type { Transport } from '../objects/index.js'
import type { Counter, Tracer } from '../observe/index.js'

export interface RequestObservers {
  /** `rest_client_requests_total`. */
  readonly requests: Counter<'code' | 'method' | 'host'>
  readonly host: string
  readonly tracer: Tracer
}

/** Counts requests as client-go does, and makes a span of each where traces are collected. */
export function observeRequests(transport: Transport, observers: RequestObservers): Transport {
  const { requests, host, tracer } = observers
  return (request) => {
    const { method, path } = request
    // A query may hold a continue token or a selector; neither belongs into a trace.
    const attributes = { 'http.request.method': method, 'url.path': path.split('?', 1)[0] ?? path }
    return tracer.span(`${method} ${host}`, attributes, async (span) => {
      try {
        const response = await transport(request)
        requests.inc({ code: String(response.status), method, host })
        span.set({ 'http.response.status_code': response.status })
        return response
      } catch (error) {
        requests.inc({ code: '<error>', method, host })
        throw error
      }
    })
  }
}
