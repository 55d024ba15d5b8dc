import { metricsContentType } from '../../observe/index.js'
import { type HttpAnswer, type HttpHandler, textAnswer } from '../http/http-handler.js'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../http/http-server.js'
import type { ServingCertificate } from '../http/serving-certificate.js'
import type { RequestAccess } from './request-access.js'

/** How metrics are served. Tokens are asked for only where nobody can listen. */
export type MetricsServing =
  | { readonly kind: 'http' }
  | {
      readonly kind: 'https'
      readonly certificate: ServingCertificate
      /** Who may read. Absent: whoever can connect. */
      readonly access?: RequestAccess
    }

export interface MetricsServerOptions extends Pick<HttpServerOptions, 'address' | 'log' | 'clock'> {
  /** The text to serve: `metrics.expose`. */
  readonly content: () => string | Promise<string>
  readonly serving: MetricsServing
}

/** Serves `/metrics`: on `:8443` with HTTPS, or `:8080` with HTTP, by custom. */
export function createMetricsServer(options: MetricsServerOptions): HttpServer {
  const { content, serving, ...rest } = options
  const page: HttpHandler = async ({ path }) => {
    if (path !== '/metrics') return textAnswer(404, 'Not Found')
    return { status: 200, headers: { 'content-type': metricsContentType }, body: await content() }
  }
  if (serving.kind === 'http') return createHttpServer({ name: 'metrics server', handler: page, ...rest })
  const { certificate, access } = serving
  const handler = access === undefined ? page : guardPage(page, access)
  return createHttpServer({ name: 'metrics server', handler, certificate, ...rest })
}

/** Asks who is calling before it tells anything, even whether a page exists. */
function guardPage(page: HttpHandler, access: RequestAccess): HttpHandler {
  return async (request): Promise<HttpAnswer> => {
    const { headers, path, method, signal } = request
    const verdict = await access.judge(
      { authorization: headers.authorization, path, verb: method.toLowerCase() },
      signal,
    )
    if (verdict === 'unknown-caller')
      return textAnswer(401, 'Unauthorized', { 'www-authenticate': 'Bearer realm="metrics"' })
    if (verdict === 'forbidden') return textAnswer(403, 'Forbidden')
    return page(request)
  }
}
