import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { ClusterConfig } from 'kubewright/client'

/** A request as it goes over the wire, without anybody's opinions. */
export interface RawRequest {
  readonly method: string
  /** With its query, sent as it is. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
  /** Whose credentials go with it; the administrator's unless said otherwise. */
  readonly as?: 'admin' | 'nobody'
}

/** A server under comparison. */
export interface Server {
  /** `real`, `embedded`: for messages. */
  readonly name: string
  /** `https://127.0.0.1:6443`: the one text that no two servers share. */
  readonly address: string
  /** Resolves with the head; the body streams. Rejects when no answer came. */
  open(request: RawRequest): Promise<IncomingMessage>
  close(): void
}

// A silent server must fail its case, not hang the suite.
const silenceMs = 60_000

/** Speaks plain HTTP to a server: odd methods, paths and headers go out unchanged, which no client of ours allows. */
export async function connect(name: string, config: ClusterConfig): Promise<Server> {
  const url = new URL(config.server)
  const { authorization, clientCertificate } = await config.credentials.get()
  const ca = await config.trust.ca()
  const trust = { ...(ca !== undefined && { ca }), rejectUnauthorized: !config.trust.insecureSkipVerify }
  const isTls = url.protocol === 'https:'
  const tlsOf = { admin: { ...trust, ...clientCertificate }, nobody: trust }
  const createAgent = (tls: object): HttpAgent | HttpsAgent =>
    isTls ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true })
  const agents = { admin: createAgent(tlsOf.admin), nobody: createAgent(tlsOf.nobody) }
  const send = isTls ? httpsRequest : httpRequest

  const attempt = (
    { method, path, headers = {}, body, as = 'admin' }: RawRequest,
    isRetry: boolean,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = send({
        host: url.hostname,
        port: url.port,
        method,
        path,
        // A second attempt has a connection of its own: those of the pool may all have ended at the same time.
        ...(isRetry ? { agent: false, ...(isTls && tlsOf[as]) } : { agent: agents[as] }),
        timeout: silenceMs,
        headers: {
          'user-agent': 'conformance/1',
          ...(authorization !== undefined && as === 'admin' && { authorization }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...copyHeaders(headers),
        },
      })
      outgoing.on('response', resolve)
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A connection may end just when it is used again: then nobody has read the request.
        const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        if (!isRetry && isStale)
          attempt({ method, path, headers, as, ...(body !== undefined && { body }) }, true).then(
            resolve,
            reject,
          )
        else reject(error)
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path}: no answer`)))
      outgoing.end(body)
    })

  return {
    name,
    address: config.server,
    open: (request) => attempt(request, false),
    close() {
      agents.admin.destroy()
      agents.nobody.destroy()
    },
  }
}

/** Node wants lists that it may change. */
function copyHeaders(
  headers: Readonly<Record<string, string | readonly string[]>>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )
}
