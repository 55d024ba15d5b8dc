import { createServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { isPlainObject, parseJson, stringifyJson } from 'kubewright/base'
import { createCertificateAuthority, issueCertificate } from '../../src/base/x509/index.js'
import type { Step } from './transcript.js'

/** What a webhook answers: data as JSON, a number as a bare status code, a text as a body that is no JSON, or nothing ever. */
export type WebhookAnswer = object | number | string | undefined

/** Gets the decoded review. */
export type WebhookHandler = (review: Record<string, unknown>) => WebhookAnswer

export interface Webhook {
  readonly url: string
  /** Base64 of the PEM, as `caBundle` wants it. */
  readonly caBundle: string
  /** How often it has been called so far. */
  readonly calls: number
  /** Forgets the calls so far: those that only found out whether the server calls at all. */
  forget(): void
  /** Puts the calls since then into the transcript. */
  record(): void
  close(): void
}

/** One HTTPS server for the webhooks of all cases. */
export interface Webhooks {
  readonly address: string
  /** `name` is its path, and no other's. */
  add(name: string, handler: WebhookHandler, record: (step: Step) => void): Webhook
  close(): void
}

/** Listens on loopback, with a certificate of its own authority. */
export async function startWebhooks(): Promise<Webhooks> {
  const authority = createCertificateAuthority({ commonName: 'webhooks of the conformance suite' })
  const { cert, key } = issueCertificate(authority, {
    commonName: 'webhooks',
    ipAddresses: ['127.0.0.1'],
    purposes: ['server'],
  })
  const caBundle = Buffer.from(authority.cert).toString('base64')
  const handlers = new Map<string, (path: string, text: string) => WebhookAnswer>()
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '/', 'https://localhost')
      const handle = handlers.get(pathname) ?? (() => 404)
      const answer = handle(request.url ?? '', Buffer.concat(chunks).toString('utf8'))
      if (answer === undefined) return
      const isData = typeof answer === 'object'
      response.writeHead(typeof answer === 'number' ? answer : 200, {
        'content-type': isData ? 'application/json' : 'text/plain',
      })
      response.end(isData ? stringifyJson(answer) : String(answer))
    })
  })
  const address = await listen(server)

  return {
    address,
    add(name, handler, record) {
      const path = `/${name}`
      let calls: Step[] = []
      handlers.set(path, (url, text) => {
        const review = parseJson(text)
        // The query tells the server's own time-out.
        calls.push({ what: 'webhook call', seen: { query: url.slice(path.length), review } })
        return isPlainObject(review) ? handler(review) : 400
      })
      return {
        url: `${address}${path}`,
        caBundle,
        get calls() {
          return calls.length
        },
        forget() {
          calls = []
        },
        record() {
          record({ what: 'the number of calls of a webhook', seen: calls.length })
          calls.forEach(record)
          calls = []
        },
        close: () => void handlers.delete(path),
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function listen(server: HttpsServer): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo // a TCP server has such an address
      resolve(`https://127.0.0.1:${port}`)
    })
  })
}
