import { type Clock, stringifyJson } from '../../base/index.js'
import type { Transport } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'
import { type ReviewType, readWebhookAnswer, WebhookCallError } from './webhook-answer.js'
import { createHttpsTransport, isLoopback } from './webhook-connection.js'
import { sendFollowingRedirects } from './webhook-redirects.js'
import { parseWebhookUrl, webhookUrl } from './webhook-url.js'

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
   * through the server what he cannot reach himself. Given services are not asked about, what they redirect to is.
   */
  readonly allowsAddress?: (address: string) => boolean
}

/** The largest answer that is read. */
const answerLimit = 3 * 1024 * 1024

/** Calls webhooks over HTTPS, or within the process for services that are functions. */
export function createWebhookCaller(options: WebhookCallerOptions): WebhookCaller {
  const { clock, services = new Map<string, WebhookService>(), allowsAddress = isLoopback } = options
  const https = createHttpsTransport()

  const transportsOf = (
    { service, caBundle }: WebhookClientConfig,
    first: URL,
  ): ((url: URL) => Transport) => {
    const ca =
      caBundle === undefined || caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString()
    if (service === undefined)
      return (url) => https.to({ url, ca, servername: undefined, address: { allowsAddress } })
    const target = services.get(`${service.namespace}/${service.name}:${service.port ?? 443}`)
    if (target === undefined) throw new WebhookCallError(`service ${quoteText(service.name)} not found`)
    // The certificate is the service's wherever it redirects to, but only its own address goes unasked.
    const servername = `${service.name}.${service.namespace}.svc`
    return (url) => {
      if (url.host !== first.host) return https.to({ url, ca, servername, address: { allowsAddress } })
      return typeof target === 'function' ? target : https.to({ url, ca, servername, address: target })
    }
  }

  return {
    async call(call) {
      const query = `?timeout=${call.timeoutSeconds}s`
      let shown = `${webhookUrl(call.clientConfig)}${query}`
      const timeout = new AbortController()
      const timer = clock.setTimer(
        call.timeoutSeconds * 1000,
        () => timeout.abort(new WebhookCallError('context deadline exceeded')),
        { background: true },
      )
      const signal =
        call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal])
      try {
        const url = parseWebhookUrl(webhookUrl(call.clientConfig))
        url.search = query
        const response = await sendFollowingRedirects({
          url,
          transportTo: transportsOf(call.clientConfig, url),
          onTarget: (target) => {
            shown = target
          },
          request: {
            method: 'POST',
            headers: {
              accept: 'application/json, */*',
              'content-type': 'application/json',
              'user-agent': 'kube-apiserver-admission',
            },
            body: stringifyJson(call.body),
            signal,
          },
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
