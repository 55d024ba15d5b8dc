import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { createWebhookCaller, type WebhookCaller, type WebhookClientConfig } from './webhook-caller.js'
import { isLoopback } from './webhook-connection.js'

const authority = createCertificateAuthority({ commonName: 'test' })
const caBundle = Buffer.from(authority.cert).toString('base64')
const leaf = issueCertificate(authority, {
  commonName: 'hook',
  purposes: ['server'],
  dnsNames: ['hook.geng.svc', 'localhost'],
  ipAddresses: ['127.0.0.1'],
})
let server: Server
let port = 0
let caller: WebhookCaller
const seen: { url: string | undefined; servername: string | false | undefined; headers: unknown }[] = []

/** Where those who ask for a path are sent. */
const locations: Readonly<Record<string, () => string>> = {
  '/temporary': () => `https://localhost:${port}/ok`,
  '/inward': () => 'https://169.254.169.254/latest',
  '/own': () => 'https://hook.geng.svc:8443/ok',
  '/plain': () => `http://127.0.0.1:${port}/ok`,
  '/endless': () => '/endless',
}

/** Connections that have had an answer. */
const used = new WeakSet<object>()

beforeAll(async () => {
  server = createServer({ cert: leaf.cert, key: leaf.key }, (request, response) => {
    const socket = request.socket as typeof request.socket & { servername?: string | false }
    seen.push({ url: request.url, servername: socket.servername, headers: request.headers })
    const path = request.url?.split('?')[0]
    response.on('finish', () => used.add(request.socket))
    const location = locations[path ?? '']
    if (location !== undefined) response.writeHead(307, { location: location() }).end('elsewhere')
    else if (path === '/permanent') response.writeHead(308, { location: '/ok?a=b#c' }).end()
    else if (path === '/nowhere') response.writeHead(307).end()
    else if (path === '/redirect') response.writeHead(302, { location: '/ok' }).end()
    else if (path === '/huge') response.end(`"${'x'.repeat(4 * 1024 * 1024)}"`)
    else if (path === '/close') request.socket.destroy()
    else if (path === '/once' && used.has(request.socket)) request.socket.destroy()
    else request.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address with a port.
  port = (server.address() as AddressInfo).port
  caller = createWebhookCaller({
    clock: systemClock,
    services: new Map([['geng/hook:8443', { host: '127.0.0.1', port }]]),
  })
})

afterAll(async () => {
  caller.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const review = { group: 'admission.k8s.io', version: 'v1', kind: 'AdmissionReview' } as const
const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', a: [1, 'ü'] }

const call = (clientConfig: WebhookClientConfig): Promise<unknown> =>
  caller.call({ clientConfig, body, review, timeoutSeconds: 5 })

test('a url is posted to, with the time that is left', async () => {
  expect(await call({ url: `https://127.0.0.1:${port}/ok`, caBundle })).toEqual(body)
  expect(seen.at(-1)).toMatchObject({
    url: '/ok?timeout=5s',
    headers: {
      host: `127.0.0.1:${port}`,
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
    },
  })
})

test('a service is called where it was said to be, by its own name', async () => {
  const service = { namespace: 'geng', name: 'hook', path: '/ok', port: 8443 }
  expect(await call({ service, caBundle })).toEqual(body)
  expect(seen.at(-1)).toMatchObject({ servername: 'hook.geng.svc', headers: { host: 'hook.geng.svc:8443' } })
})

const refusals: readonly (readonly [() => WebhookClientConfig, string | RegExp])[] = [
  [
    () => ({ url: `https://127.0.0.1:${port}/ok` }),
    /^Post "https:\/\/127.0.0.1:\d+\/ok\?timeout=5s": tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
  ],
  [
    () => ({ url: 'https://127.0.0.1:1/ok', caBundle }),
    'Post "https://127.0.0.1:1/ok?timeout=5s": dial tcp 127.0.0.1:1: connect: connection refused',
  ],
  [() => ({ url: `https://127.0.0.1:${port}/close`, caBundle }), /: EOF$/],
  [
    () => ({ url: `https://127.0.0.1:${port}/redirect`, caBundle }),
    'the server responded with the status code 302 but did not return more information',
  ],
  [
    () => ({ url: `https://127.0.0.1:${port}/nowhere`, caBundle }),
    'the server responded with the status code 307 but did not return more information',
  ],
  [() => ({ url: `https://127.0.0.1:${port}/inward`, caBundle }), /may not connect to this address/],
  [
    () => ({ url: `https://127.0.0.1:${port}/plain`, caBundle }),
    /^Post "http:\/\/127.0.0.1:\d+\/ok": 'https' is the only allowed URL scheme$/,
  ],
  [() => ({ url: `https://127.0.0.1:${port}/huge`, caBundle }), 'the response is larger than 3145728 bytes'],
  [() => ({ url: `http://127.0.0.1:${port}/ok` }), /'https' is the only allowed URL scheme$/],
  [() => ({ url: `https://user@127.0.0.1:${port}/ok` }), /user information is not permitted in the URL$/],
  [() => ({ url: `https://127.0.0.1:${port}/ok?a=b` }), /query parameters are not permitted in the URL$/],
  [() => ({ url: `https://127.0.0.1:${port}/ok#a` }), /fragments are not permitted in the URL$/],
  [() => ({ url: 'https://169.254.169.254/latest', caBundle }), /may not connect to this address/],
  [() => ({ url: 'https://10.0.0.1/x', caBundle }), /may not connect to this address/],
  [() => ({ url: 'https://[fe80::1]/x', caBundle }), /may not connect to this address/],
  [() => ({ url: 'https://0.0.0.0/x', caBundle }), /may not connect to this address/],
  [
    () => ({ service: { namespace: 'geng', name: 'none' } }),
    'Post "https://none.geng.svc:443/?timeout=5s": service "none" not found',
  ],
]

test.each(refusals)('refusal %#: %s', async (config, message) => {
  await expect(call(config())).rejects.toThrow(message)
})

test.each([
  ['', '/'],
  ['/', '/'],
  ['//x', '/x'],
  ['/a//b/', '/a/b'],
  ['/a/./b%20c/x%2Fy!(1)/../z/', '/a/b%20c/x/z'],
  ['/a//../b', '/b'],
  ['/../../x', '/x'],
  ["/a!b(c)*'", '/a%21b%28c%29%2A%27'],
  ['/a//%ff/', '/a/%ff'],
])('the path %j of a url is called as %s', async (path, expected) => {
  await call({ url: `https://127.0.0.1:${port}${path}`, caBundle })
  expect(seen.at(-1)?.url).toBe(`${expected}?timeout=5s`)
})

test.each([
  [undefined, '/'],
  ['/x/', '/x'],
  ['//x', '/x'],
])('the path %s of a service is called as %s', async (path, expected) => {
  const service = { namespace: 'geng', name: 'hook', port: 8443, ...(path !== undefined && { path }) }
  await call({ service, caBundle })
  expect(seen.at(-1)?.url).toBe(`${expected}?timeout=5s`)
})

test('the certificate of the webhook may be what is trusted, without its authority', async () => {
  const own = Buffer.from(leaf.cert).toString('base64')
  expect(await call({ url: `https://127.0.0.1:${port}/ok`, caBundle: own })).toEqual(body)
})

test('another certificate of the same authority is not trusted for it', async () => {
  const { cert } = issueCertificate(authority, {
    commonName: 'other',
    purposes: ['server'],
    dnsNames: ['hook.geng.svc'],
    ipAddresses: ['127.0.0.1'],
  })
  const other = Buffer.from(cert).toString('base64')
  await expect(call({ url: `https://127.0.0.1:${port}/ok`, caBundle: other })).rejects.toThrow(
    /x509: certificate signed by unknown authority$/,
  )
})

test.each([
  ['/temporary', '/ok'],
  ['/permanent', '/ok?a=b'],
])('the redirect %s is followed with its body', async (path, expected) => {
  expect(await call({ url: `https://127.0.0.1:${port}${path}`, caBundle })).toEqual(body)
  expect(seen.at(-1)?.url).toBe(expected)
})

test('a service that redirects to itself is called where it was said to be', async () => {
  const service = { namespace: 'geng', name: 'hook', path: '/own', port: 8443 }
  expect(await call({ service, caBundle })).toEqual(body)
  expect(seen.at(-1)).toMatchObject({ url: '/ok', headers: { host: 'hook.geng.svc:8443' } })
})

test('a service, whose own address is not asked about, cannot redirect to a forbidden one', async () => {
  const service = { namespace: 'geng', name: 'hook', path: '/inward', port: 8443 }
  await expect(call({ service, caBundle })).rejects.toThrow(
    /^Post "https:\/\/169.254.169.254\/latest": .*may not connect to this address/,
  )
})

test('a service that is a function cannot redirect to a forbidden address', async () => {
  const within = createWebhookCaller({
    clock: systemClock,
    services: new Map([
      [
        'geng/hook:443',
        async () => ({ status: 307, headers: { location: 'https://10.0.0.1/x' }, body: Readable.from([]) }),
      ],
    ]),
  })
  const clientConfig = { service: { namespace: 'geng', name: 'hook' } }
  await expect(within.call({ clientConfig, body, review, timeoutSeconds: 5 })).rejects.toThrow(
    /may not connect to this address/,
  )
  within.close()
})

test('redirects without an end are given up after ten requests', async () => {
  const before = seen.length
  await expect(call({ url: `https://127.0.0.1:${port}/endless`, caBundle })).rejects.toThrow(
    'Post "/endless": stopped after 10 redirects',
  )
  expect(seen.length - before).toBe(10)
})

test('a kept connection that the webhook closes when it is used again is replaced', async () => {
  const url = `https://127.0.0.1:${port}/once`
  for (let time = 0; time < 3; time++) expect(await call({ url, caBundle })).toEqual(body)
})

test('an address that is allowed on purpose is connected to', async () => {
  const bold = createWebhookCaller({
    clock: systemClock,
    allowsAddress: (address) => address === '127.0.0.1',
  })
  expect(
    await bold.call({
      clientConfig: { url: `https://localhost:${port}/ok`, caBundle },
      body,
      review,
      timeoutSeconds: 5,
    }),
  ).toEqual(body)
  bold.close()
})

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['0.0.0.0', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})
