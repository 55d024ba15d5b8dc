import { createHttpServer, type HttpServer, type HttpServerOptions } from '../http/http-server.js'
import type { Health } from './health.js'

/** Serves `/healthz` and `/readyz` over HTTP, on a port of their own: `:8081` by custom. */
export function createHealthServer(
  options: Pick<HttpServerOptions, 'address' | 'log' | 'clock'> & { readonly health: Health },
): HttpServer {
  const { health, ...rest } = options
  return createHttpServer({ name: 'health server', handler: health.handler, ...rest })
}
