import { type Clock, stringifyJson } from '../../base/index.js'
import type { Transport } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'
import { type ReviewType, readWebhookAnswer, WebhookCallError } from './webhook-answer.js'
import { createHttpsTransport, isLoopback } from './webhook-connection.js'

/** Where a webhook is, as `clientConfig` of a webhook or of a CRD's conversion has it: a url or a service. */
export interface WebhookClientConfig {
  readonly url?: string
  readonly service?: {
    readonly namespace: string
    readonly name: string
    readonly path?: string
    /** 443, unless told. */
    readonly port?: number
  }
  /** PEM in base64. Without it, the authorities of the machine are trusted. */
  readonly caBundle?: string
}

export interface WebhookCall {
  readonly clientConfig: WebhookClientConfig
  /** Sent as JSON. */
  readonly body: unknown
  /** What is sent, and must come back. */
  readonly review: ReviewType
  readonly timeoutSeconds: number
  readonly signal?: AbortSignal | undefined
}

/** Calls webhooks: admission and the conversion of custom resources. */
export interface WebhookCaller {
  /**
   * The review that the webhook answers. Rejects with {@link WebhookCallError}, whose message is what the server
   * says after "failed to call webhook:", and with the signal's reason when that aborts.
   */
  call(call: WebhookCall): Promise<unknown>
  /** Closes what is kept open for the next call. */
  close(): void
}

/** What stands for a service of the cluster: a port of this machine or a function of this process. */
export type WebhookService = { readonly host: string; readonly port: number } | Transport

export interface WebhookCallerOptions {
  readonly clock: Clock
  /** By `namespace/name:port`. */
  readonly services?: ReadonlyMap<string, WebhookService>
  /**
   * Whether an address may be connected to. Only loopback, unless told: whoever may register a webhook must not reach
   * through the server what he cannot reach himself. Given services are not asked about.
   */
  readonly allowsAddress?: (address: string) => boolean
}

/** The largest answer that is read. */
const answerLimit = 3 * 1024 * 1024

/** Calls webhooks over HTTPS, or within the process for services that are functions. Redirects are not followed. */
export function createWebhookCaller(options: WebhookCallerOptions): WebhookCaller {
  const { clock, services = new Map<string, WebhookService>(), allowsAddress = isLoopback } = options
  const https = createHttpsTransport()

  const targetOf = ({ clientConfig }: WebhookCall): { readonly url: URL; readonly transport: Transport } => {
    const { url, service, caBundle } = clientConfig
    const ca =
      caBundle === undefined || caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString()
    if (service === undefined) {
      const parsed = parseUrl(url ?? '')
      return {
        url: parsed,
        transport: https.to({ url: parsed, ca, servername: undefined, address: { allowsAddress } }),
      }
    }
    const port = service.port ?? 443
    const servername = `${service.name}.${service.namespace}.svc`
    const parsed = new URL(`https://${servername}:${port}${service.path ?? ''}`)
    const target = services.get(`${service.namespace}/${service.name}:${port}`)
    if (target === undefined) throw new WebhookCallError(`service ${quoteText(service.name)} not found`)
    const transport =
      typeof target === 'function' ? target : https.to({ url: parsed, ca, servername, address: target })
    return { url: parsed, transport }
  }

  return {
    async call(call) {
      const shown = describeUrl(call)
      const timeout = new AbortController()
      const timer = clock.setTimer(
        call.timeoutSeconds * 1000,
        () => timeout.abort(new WebhookCallError('context deadline exceeded')),
        { background: true },
      )
      const signal =
        call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal])
      try {
        const { url, transport } = targetOf(call)
        const response = await transport({
          method: 'POST',
          path: `${url.pathname}?timeout=${call.timeoutSeconds}s`,
          headers: {
            accept: 'application/json, */*',
            'content-type': 'application/json',
            'user-agent': 'kube-apiserver-admission',
          },
          body: stringifyJson(call.body),
          signal,
        })
        return await readWebhookAnswer(response, answerLimit, call.review)
      } catch (error) {
        if (call.signal?.aborted === true) throw call.signal.reason
        if (error instanceof WebhookCallError && error.isAnswer) throw error
        const cause = timeout.signal.aborted ? timeout.signal.reason : error
        throw new WebhookCallError(
          `Post ${quoteText(shown)}: ${cause instanceof Error ? cause.message : 'EOF'}`,
          {
            cause,
          },
        )
      } finally {
        timer.cancel()
      }
    },
    close: () => https.close(),
  }
}

/** The URL as the server's messages show it: that of a service always has its port. */
function describeUrl({ clientConfig: { url, service }, timeoutSeconds }: WebhookCall): string {
  const query = `?timeout=${timeoutSeconds}s`
  if (service === undefined) return `${url ?? ''}${query}`
  return `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}${service.path ?? ''}${query}`
}

function parseUrl(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new WebhookCallError('the url is not valid; desired format: https://host[/path]')
  }
  if (url.protocol !== 'https:') throw new WebhookCallError("'https' is the only allowed URL scheme")
  if (url.username !== '' || url.password !== '')
    throw new WebhookCallError('user information is not permitted in the URL')
  if (url.search !== '') throw new WebhookCallError('query parameters are not permitted in the URL')
  if (url.hash !== '') throw new WebhookCallError('fragments are not permitted in the URL')
  return url
}
