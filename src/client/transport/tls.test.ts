import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../../base/x509/index.js'
import type { TransportResponse } from '../../objects/index.js'
import type { ClusterConfig, Credentials } from '../config/cluster-config.js'
import { createTransport, type NetworkTransport } from './network-transport.js'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

let authority: KeyedCertificate
let otherAuthority: KeyedCertificate
let loopback: KeyedCertificate
beforeAll(() => {
  authority = createCertificateAuthority({ commonName: 'first authority' })
  otherAuthority = createCertificateAuthority({ commonName: 'second authority' })
  loopback = issueCertificate(authority, {
    commonName: 'server',
    ipAddresses: ['127.0.0.1'],
    purposes: ['server'],
  })
})

async function serve(
  certificate: KeyedCertificate,
  options: { readonly clientAuthority?: string } = {},
): Promise<Server & { readonly url: string }> {
  const { clientAuthority } = options
  const server = createServer(
    {
      ...certificate,
      ...(clientAuthority !== undefined && {
        ca: clientAuthority,
        requestCert: true,
        rejectUnauthorized: true,
      }),
    },
    (request, response) => {
      const peer = (request.socket as TLSSocket).getPeerCertificate()
      response.end(JSON.stringify({ client: peer.subject?.CN, port: request.socket.remotePort }))
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return Object.assign(server, { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

function open(server: string, overrides: Partial<ClusterConfig> = {}): NetworkTransport {
  const transport = createTransport({
    server,
    trust: { ca: () => Promise.resolve(authority.cert), insecureSkipVerify: false },
    credentials: { get: () => Promise.resolve({}), refused: () => false },
    namespace: 'default',
    origin: 'a test',
    ...overrides,
  })
  cleanups.push(() => transport.close())
  return transport
}

async function ask(transport: NetworkTransport): Promise<{ client?: string; port: number }> {
  const response: TransportResponse = await transport({ method: 'GET', path: '/', headers: {} })
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as { client?: string; port: number }
}

describe('the server', () => {
  test('is trusted when its authority is', async () => {
    const server = await serve(loopback)
    expect((await ask(open(server.url))).port).toBeGreaterThan(0)
  })

  test('is trusted when its own certificate is, though nobody knows who signed it', async () => {
    const server = await serve(loopback)
    const trust = { ca: () => Promise.resolve(loopback.cert), insecureSkipVerify: false }
    expect((await ask(open(server.url, { trust }))).port).toBeGreaterThan(0)
    const another = issueCertificate(authority, {
      commonName: 'another',
      ipAddresses: ['127.0.0.1'],
      purposes: ['server'],
    })
    const wrong = { ca: () => Promise.resolve(another.cert), insecureSkipVerify: false }
    await expect(ask(open(server.url, { trust: wrong }))).rejects.toMatchObject({ reason: 'tls' })
  })

  test('is not trusted when another authority signed it, and the message says what to give', async () => {
    const server = await serve(loopback)
    const trust = { ca: () => Promise.resolve(otherAuthority.cert), insecureSkipVerify: false }
    await expect(ask(open(server.url, { trust }))).rejects.toMatchObject({
      code: 'KW_CONNECTION',
      reason: 'tls',
      message: expect.stringContaining('certificate-authority'),
    })
  })

  test('is not trusted when its certificate has expired', async () => {
    const longAgo: Clock = { ...systemClock, now: () => systemClock.now() - 30 * 24 * 3600 * 1000 }
    const oldAuthority = createCertificateAuthority({ commonName: 'authority', clock: longAgo })
    const expired = issueCertificate(oldAuthority, {
      commonName: 'server',
      ipAddresses: ['127.0.0.1'],
      purposes: ['server'],
      clock: longAgo,
      validForMs: 24 * 3600 * 1000,
    })
    const server = await serve(expired)
    const trust = { ca: () => Promise.resolve(oldAuthority.cert), insecureSkipVerify: false }
    await expect(ask(open(server.url, { trust }))).rejects.toMatchObject({
      reason: 'tls',
      message: expect.stringContaining('has expired'),
    })
  })

  test('is not trusted under a name that its certificate does not have, and the message says how to', async () => {
    const named = issueCertificate(authority, {
      commonName: 'server',
      dnsNames: ['kubernetes.default.svc'],
      purposes: ['server'],
    })
    const server = await serve(named)
    await expect(ask(open(server.url))).rejects.toMatchObject({
      reason: 'tls',
      message: expect.stringContaining('tls-server-name'),
    })
    const trust = {
      ca: () => Promise.resolve(authority.cert),
      insecureSkipVerify: false,
      serverName: 'kubernetes.default.svc',
    }
    expect((await ask(open(server.url, { trust }))).port).toBeGreaterThan(0)
  })

  test('is not looked at when verification is switched off, and a warning says so', async () => {
    const server = await serve(
      issueCertificate(otherAuthority, {
        commonName: 'server',
        dnsNames: ['other.example'],
        purposes: ['server'],
      }),
    )
    const warnings: string[] = []
    const log = {
      debug: () => {},
      info: () => {},
      warn: (message: string) => void warnings.push(message),
      error: () => {},
      with: () => log,
    }
    const transport = createTransport(
      {
        server: server.url,
        trust: { ca: () => Promise.resolve(undefined), insecureSkipVerify: true },
        credentials: { get: () => Promise.resolve({}), refused: () => false },
        namespace: 'default',
        origin: 'a test',
      },
      { log },
    )
    cleanups.push(() => transport.close())
    expect((await ask(transport)).port).toBeGreaterThan(0)
    expect(warnings).toHaveLength(1)
  })

  test('may change its authority: new connections trust the new one', async () => {
    const server = await serve(loopback)
    let ca = authority.cert
    const trust = { ca: () => Promise.resolve(ca), insecureSkipVerify: false }
    const transport = open(server.url, { trust })
    await ask(transport)
    const renewed = issueCertificate(otherAuthority, {
      commonName: 'server',
      ipAddresses: ['127.0.0.1'],
      purposes: ['server'],
    })
    server.setSecureContext(renewed)
    server.closeAllConnections()
    await expect(ask(transport)).rejects.toMatchObject({ reason: 'tls' })
    ca = otherAuthority.cert
    expect((await ask(transport)).port).toBeGreaterThan(0)
  })

  test('cannot be reached with an authority that is not PEM', async () => {
    const server = await serve(loopback)
    const trust = {
      ca: () => Promise.resolve('-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n'),
      insecureSkipVerify: false,
    }
    await expect(ask(open(server.url, { trust }))).rejects.toMatchObject({
      code: 'KW_CONNECTION',
      reason: 'tls',
    })
  })
})

describe('a client certificate', () => {
  test('proves who we are', async () => {
    const server = await serve(loopback, { clientAuthority: authority.cert })
    const clientCertificate = issueCertificate(authority, { commonName: 'jane', purposes: ['client'] })
    const credentials = { get: () => Promise.resolve({ clientCertificate }), refused: () => false }
    expect((await ask(open(server.url, { credentials }))).client).toBe('jane')
  })

  test('that the server refuses is a failure to connect: no request was read', async () => {
    const server = await serve(loopback, { clientAuthority: authority.cert })
    await expect(
      open(server.url)({ method: 'POST', path: '/', headers: {}, body: '{}' }),
    ).rejects.toMatchObject({ code: 'KW_CONNECTION', reason: 'tls' })
  })

  test('that changes is used by the next request, on a new connection', async () => {
    const server = await serve(loopback, { clientAuthority: authority.cert })
    let current: Credentials = {
      clientCertificate: issueCertificate(authority, { commonName: 'jane', purposes: ['client'] }),
    }
    const credentials = { get: () => Promise.resolve(current), refused: () => false }
    const transport = open(server.url, { credentials })
    const before = await ask(transport)
    expect((await ask(transport)).port).toBe(before.port)
    current = { clientCertificate: issueCertificate(authority, { commonName: 'june', purposes: ['client'] }) }
    const after = await ask(transport)
    expect(after.client).toBe('june')
    expect(after.port).not.toBe(before.port)
  })
})
