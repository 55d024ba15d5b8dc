import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../../base/x509/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { createIdentityProvider } from './identity-provider.js'
import { createOidcCredentials, type OidcCredentialsOptions } from './oidc-credentials.js'

const startMs = Date.UTC(2026, 0, 1)
const authority = createCertificateAuthority({ commonName: 'idp authority' })
const serving: KeyedCertificate = issueCertificate(authority, {
  commonName: 'idp',
  purposes: ['server'],
  dnsNames: ['localhost'],
})

const idToken = (expiresAtMs: number, subject = 'jane'): string =>
  `e30.${Buffer.from(JSON.stringify({ sub: subject, exp: expiresAtMs / 1000 })).toString('base64url')}.sig`

interface TokenRequest {
  readonly authorization: string | undefined
  readonly form: URLSearchParams
}

interface Reply {
  readonly status?: number
  readonly body: unknown
}

/** A real identity provider in small: discovery and a token endpoint over TLS. */
async function startProvider(
  answer: (request: TokenRequest) => Reply | Promise<Reply>,
  discovery: Record<string, unknown> = {},
) {
  const requests: TokenRequest[] = []
  const reply = async (incoming: IncomingMessage, origin: string): Promise<Reply> => {
    if (incoming.url === '/realm/.well-known/openid-configuration')
      return { body: { issuer: `${origin}/realm`, token_endpoint: `${origin}/token`, ...discovery } }
    if (incoming.url !== '/token' || incoming.method !== 'POST') return { status: 404, body: 'nothing here' }
    const request = {
      authorization: incoming.headers.authorization,
      form: new URLSearchParams(await text(incoming)),
    }
    requests.push(request)
    return answer(request)
  }
  const server = createServer({ cert: serving.cert, key: serving.key }, (incoming, outgoing) => {
    void reply(incoming, issuer.replace('/realm', '')).then(({ status = 200, body }) => {
      outgoing.writeHead(status, { 'content-type': 'application/json' })
      outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // Proof: a listening TCP server has an AddressInfo.
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}/realm`
  return { issuer, requests }
}

function setUp(
  issuer: string,
  options: Partial<OidcCredentialsOptions> & { readonly clientSecret?: string; readonly ca?: string } = {},
) {
  let nowMs = startMs
  const warnings: string[] = []
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs }
  const log: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  const { clientSecret, ca = authority.cert, ...rest } = options
  const source = createOidcCredentials({
    issuer,
    provider: createIdentityProvider({
      issuer,
      clientId: 'kube wright',
      ...(clientSecret !== undefined && { clientSecret }),
      ca,
      proxyFor: () => undefined,
      clock,
    }),
    clock,
    log,
    ...rest,
  })
  return {
    source,
    warnings,
    authorization: async () => (await source.get()).authorization,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

test('a valid ID token is used without asking anybody, until ten seconds before it ends', async () => {
  const renewed = idToken(startMs + 7_200_000)
  const { issuer, requests } = await startProvider(() => ({ body: { id_token: renewed } }))
  const first = idToken(startMs + 3_600_000)
  const { authorization, advance } = setUp(issuer, { idToken: first, refreshToken: 'r1' })
  expect(await authorization()).toBe(`Bearer ${first}`)
  advance(3_589_999)
  expect(await authorization()).toBe(`Bearer ${first}`)
  expect(requests).toHaveLength(0)
  advance(1)
  expect(await authorization()).toBe(`Bearer ${renewed}`)
  expect(requests).toHaveLength(1)
})

test('parallel requests share one refresh', async () => {
  const { issuer, requests } = await startProvider(() => ({ body: { id_token: idToken(startMs + 60_000) } }))
  const { authorization } = setUp(issuer, { refreshToken: 'r1' })
  await Promise.all([authorization(), authorization(), authorization()])
  expect(requests).toHaveLength(1)
})

test('a replaced refresh token is used from then on, and saved with the one that it replaces', async () => {
  let n = 1
  const { issuer, requests } = await startProvider(() => {
    n += 1
    return { body: { id_token: idToken(startMs + n * 3_600_000), refresh_token: `r${n}` } }
  })
  const saved: unknown[] = []
  const { authorization, advance } = setUp(issuer, {
    refreshToken: 'r1',
    save: async (tokens, replaced) => {
      saved.push([replaced, tokens.refreshToken])
    },
  })
  await authorization()
  advance(7_200_000)
  await authorization()
  expect(requests.map(({ form }) => form.get('refresh_token'))).toEqual(['r1', 'r2'])
  expect(saved).toEqual([
    ['r1', 'r2'],
    ['r2', 'r3'],
  ])
})

test('tokens that cannot be saved are used all the same, with a warning', async () => {
  const { issuer } = await startProvider(() => ({
    body: { id_token: idToken(startMs + 60_000), refresh_token: 'r2' },
  }))
  const { authorization, warnings } = setUp(issuer, {
    refreshToken: 'r1',
    save: () => Promise.reject(new Error('read-only')),
  })
  expect(await authorization()).toBe(`Bearer ${idToken(startMs + 60_000)}`)
  expect(warnings).toEqual([expect.stringContaining('Cannot write the new tokens back')])
})

test('when a replaced refresh token is not saved anywhere, a warning says so', async () => {
  const { issuer } = await startProvider(() => ({
    body: { id_token: idToken(startMs + 60_000), refresh_token: 'r2' },
  }))
  const { authorization, warnings } = setUp(issuer, { refreshToken: 'r1' })
  await authorization()
  expect(warnings).toEqual([expect.stringContaining('oidc.writeBack')])
})

test('a refused ID token is renewed, although it looks valid', async () => {
  const renewed = idToken(startMs + 3_600_000, 'renewed')
  const { issuer } = await startProvider(() => ({ body: { id_token: renewed } }))
  const { source, authorization } = setUp(issuer, {
    idToken: idToken(startMs + 3_600_000),
    refreshToken: 'r1',
  })
  expect(source.refused(await source.get())).toBe(true)
  expect(await authorization()).toBe(`Bearer ${renewed}`)
})

test('without a refresh token a refusal is final, and an expired token an error', async () => {
  const { source, advance } = setUp('https://idp.invalid', { idToken: idToken(startMs + 60_000) })
  expect(source.refused(await source.get())).toBe(false)
  advance(60_000)
  await expect(source.get()).rejects.toMatchObject({ code: 'KW_OIDC', issuer: 'https://idp.invalid' })
  await expect(source.get()).rejects.toThrow('log in again')
})

test('a client with a secret shows it in the header, encoded as forms are', async () => {
  const { issuer, requests } = await startProvider(() => ({ body: { id_token: idToken(startMs + 60_000) } }))
  await setUp(issuer, { refreshToken: 'r1', clientSecret: 'se:cret' }).source.get()
  const [request] = requests
  expect(request?.authorization).toBe(`Basic ${Buffer.from('kube+wright:se%3Acret').toString('base64')}`)
  expect(request?.form.has('client_secret')).toBe(false)
})

test('a provider that wants the secret in the form gets it there, and the way that worked is remembered', async () => {
  const { issuer, requests } = await startProvider(({ form }) =>
    form.has('client_secret')
      ? { body: { id_token: idToken(startMs + 60_000) } }
      : { status: 401, body: { error: 'invalid_client' } },
  )
  const { source, advance } = setUp(issuer, { refreshToken: 'r1', clientSecret: 's' })
  await source.get()
  advance(60_000)
  await source.get()
  expect(requests.map(({ form }) => form.has('client_secret'))).toEqual([false, true, true])
})

test('a provider that names only the form is asked that way first', async () => {
  const { issuer, requests } = await startProvider(
    () => ({ body: { id_token: idToken(startMs + 60_000) } }),
    { token_endpoint_auth_methods_supported: ['client_secret_post'] },
  )
  await setUp(issuer, { refreshToken: 'r1', clientSecret: 's' }).source.get()
  expect(requests.map(({ form }) => form.get('client_secret'))).toEqual(['s'])
})

test('a client without a secret only says who it is', async () => {
  const { issuer, requests } = await startProvider(() => ({ body: { id_token: idToken(startMs + 60_000) } }))
  await setUp(issuer, { refreshToken: 'r1' }).source.get()
  expect(Object.fromEntries(requests[0]?.form ?? [])).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'r1',
    client_id: 'kube wright',
  })
  expect(requests[0]?.authorization).toBeUndefined()
})

test('a void refresh token is an error that says so, after one try', async () => {
  const { issuer, requests } = await startProvider(() => ({ status: 400, body: { error: 'invalid_grant' } }))
  const { source } = setUp(issuer, { refreshToken: 'SECRET', clientSecret: 'SECRET' })
  await expect(source.get()).rejects.toThrow('it refused to refresh (invalid_grant): log in again.')
  expect(requests).toHaveLength(1)
})

test.each([
  ['without an ID token', { body: { access_token: 'SECRET' } }, 'holds no id_token'],
  ['with an ID token that is no JWT', { body: { id_token: 'SECRET' } }, 'no valid id_token'],
  ['that is not JSON', { body: '<html>SECRET</html>' }, 'holds no id_token'],
  ['with an error that is no word', { status: 500, body: { error: 'bad token SECRET' } }, 'HTTP 500'],
  ['that redirects', { status: 307, body: '' }, 'HTTP 307'],
])('an answer %s is an error that does not repeat it', async (_what, reply, message) => {
  const { issuer } = await startProvider(() => reply)
  const failing = setUp(issuer, { refreshToken: 'SECRET' }).source.get()
  await expect(failing).rejects.toMatchObject({ code: 'KW_OIDC', message: expect.stringContaining(message) })
  await expect(failing).rejects.not.toThrow('SECRET')
})

test('an answer without end is cut off', async () => {
  const { issuer } = await startProvider(() => ({ body: 'x'.repeat(2 * 1024 * 1024) }))
  await expect(setUp(issuer, { refreshToken: 'r' }).source.get()).rejects.toThrow('larger than 1 MiB')
})

test('a provider whose certificate nobody vouches for gets no refresh token', async () => {
  const { issuer, requests } = await startProvider(() => ({ body: {} }))
  const stranger = createCertificateAuthority({ commonName: 'stranger' })
  const { source } = setUp(issuer, { refreshToken: 'r1', ca: stranger.cert })
  await expect(source.get()).rejects.toMatchObject({ code: 'KW_OIDC' })
  expect(requests).toHaveLength(0)
})

test('a token endpoint that is not encrypted gets no refresh token', async () => {
  const { issuer } = await startProvider(() => ({ body: {} }), { token_endpoint: 'http://example.com/token' })
  await expect(setUp(issuer, { refreshToken: 'r1' }).source.get()).rejects.toThrow('no https token_endpoint')
})

test('an issuer without a discovery document is an error that names the setting', async () => {
  const { issuer } = await startProvider(() => ({ body: {} }))
  const { source } = setUp(issuer.replace('/realm', '/elsewhere'), { refreshToken: 'r1' })
  await expect(source.get()).rejects.toThrow(
    'its discovery document is missing (HTTP 404): check idp-issuer-url.',
  )
})

test('with a wrong clock, a new token is used for ten seconds before another is asked for', async () => {
  const { issuer, requests } = await startProvider(() => ({ body: { id_token: idToken(startMs - 60_000) } }))
  const { authorization, advance } = setUp(issuer, { refreshToken: 'r1' })
  await authorization()
  await authorization()
  expect(requests).toHaveLength(1)
  advance(10_000)
  await authorization()
  expect(requests).toHaveLength(2)
})

test('whoever gives up does not wait for the provider', async () => {
  const { issuer, requests } = await startProvider(() => new Promise<Reply>(() => {}))
  const stop = new AbortController()
  const waiting = setUp(issuer, { refreshToken: 'r1' }).source.get(stop.signal)
  await expect.poll(() => requests.length).toBe(1)
  stop.abort(new Error('shutting down'))
  await expect(waiting).rejects.toThrow('shutting down')
})
