import { lookup } from 'node:dns/promises'
import { Agent, request } from 'node:https'
import { isIP } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { Transport, TransportRequest, TransportResponse } from '../../objects/index.js'
import { WebhookCallError } from './webhook-answer.js'

/** Where a call goes to and whom it trusts. */
export interface ConnectionTarget {
  readonly url: URL
  /** PEM. The authorities of the machine, if undefined. */
  readonly ca: string | undefined
  /** The name that the certificate must be for; the host of the url, if undefined. */
  readonly servername: string | undefined
  /** A fixed address, or the test that the address of the url's host must pass. */
  readonly address:
    | { readonly host: string; readonly port: number }
    | { readonly allowsAddress: (address: string) => boolean }
}

/** Transports over HTTPS that share connections. */
export interface HttpsTransport {
  to(target: ConnectionTarget): Transport
  close(): void
}

/** True for the addresses of this machine that nobody else can reach: 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** Opens connections as webhooks need them. Idle ones do not keep the process alive. */
export function createHttpsTransport(): HttpsTransport {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  return {
    to: (target) => (call) => send(agent, target, call),
    close: () => agent.destroy(),
  }
}

async function send(
  agent: Agent,
  target: ConnectionTarget,
  call: TransportRequest,
): Promise<TransportResponse> {
  const { url, ca, servername } = target
  const { host, port } = await addressOf(target)
  const name = servername ?? unbracketed(url.hostname)
  // Node refuses an address as a server name, and checks the certificate against `host` where there is no name.
  const tls: TlsOptions & { servername?: string } = {
    ...(ca !== undefined && { ca }),
    ...(isIP(name) === 0 && { servername: name }),
    minVersion: 'TLSv1.2',
    // Whatever is in the bundle is trusted, be it the certificate of the webhook itself.
    allowPartialTrustChain: true,
  }
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host,
        port,
        ...tls,
        method: call.method,
        path: call.path,
        headers: { ...call.headers, host: url.host, 'content-length': Buffer.byteLength(call.body ?? '') },
        ...(call.signal !== undefined && { signal: call.signal }),
      },
      (incoming) => {
        isAnswered = true
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming })
      },
    )
    let isAnswered = false
    outgoing.on('error', (error) => {
      // The webhook has closed a connection that was kept, just when it was used again: the next one is newer.
      if (outgoing.reusedSocket && !isAnswered && codeOf(error) === 'ECONNRESET')
        resolve(send(agent, target, call))
      else reject(describe(error, `${host}:${port}`))
    })
    outgoing.end(call.body)
  })
}

/** Resolved once: the address that was judged is the one that is connected to. */
async function addressOf({ url, address }: ConnectionTarget): Promise<{ host: string; port: number }> {
  if ('host' in address) return address
  const port = url.port === '' ? 443 : Number(url.port)
  const name = unbracketed(url.hostname)
  const host = isIP(name) === 0 ? await resolveName(name) : name
  if (!address.allowsAddress(host))
    throw new WebhookCallError(
      `dial tcp ${host}:${port}: connect: the server may not connect to this address (allow it with allowsAddress)`,
    )
  return { host, port }
}

async function resolveName(name: string): Promise<string> {
  try {
    return (await lookup(name)).address
  } catch (cause) {
    throw new WebhookCallError(`dial tcp: lookup ${name}: no such host`, { cause })
  }
}

const unbracketed = (host: string): string => host.replace(/^\[|\]$/g, '')

const unknownAuthority = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
])

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The error in the server's words where it has some of its own. */
function describe(error: Error, address: string): Error {
  const code = codeOf(error)
  const say = (text: string): Error => new WebhookCallError(text, { cause: error })
  if (code === 'ECONNREFUSED') return say(`dial tcp ${address}: connect: connection refused`)
  if (code === 'ECONNRESET') return say('EOF')
  if (code === 'ETIMEDOUT') return say(`dial tcp ${address}: i/o timeout`)
  if (unknownAuthority.has(code))
    return say('tls: failed to verify certificate: x509: certificate signed by unknown authority')
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return say('tls: failed to verify certificate: x509: certificate has expired or is not yet valid')
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return say(`tls: failed to verify certificate: x509: ${error.message}`)
  return error
}
