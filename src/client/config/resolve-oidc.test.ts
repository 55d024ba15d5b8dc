import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createProxy } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { type LoadClusterConfigOptions, loadClusterConfig } from './load-cluster-config.js'

const authority = createCertificateAuthority({ commonName: 'idp authority' })
const serving = issueCertificate(authority, {
  commonName: 'idp',
  purposes: ['server'],
  dnsNames: ['localhost', 'idp.example.com'],
})
const idToken = `e30.${Buffer.from(JSON.stringify({ exp: 4_000_000_000 })).toString('base64url')}.sig`

async function listen(server: Server | ReturnType<typeof createProxy>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // Proof: a listening TCP server has an AddressInfo.
  return (server.address() as AddressInfo).port
}

/** An identity provider that answers to the given name and always replaces the refresh token. */
async function startProvider(host: string): Promise<{ issuer: string; port: number }> {
  const server = createServer({ cert: serving.cert, key: serving.key }, (incoming, outgoing) => {
    outgoing.end(
      JSON.stringify(
        incoming.url === '/token'
          ? { id_token: idToken, refresh_token: 'r2' }
          : { token_endpoint: `${issuer}/token` },
      ),
    )
  })
  const port = await listen(server)
  const issuer = `https://${host}:${port}`
  return { issuer, port }
}

async function setUp(issuer: string) {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-oidc-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'config')
  const config = {
    'idp-issuer-url': issuer,
    'idp-certificate-authority': 'idp.crt',
    'client-id': 'kubernetes',
    'refresh-token': 'r1',
  }
  await writeFile(join(directory, 'idp.crt'), authority.cert)
  await writeFile(
    file,
    stringify({
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server: 'https://a.example.com' } }],
      users: [{ name: 'a', user: { 'auth-provider': { name: 'oidc', config } } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    }),
  )
  return {
    load: (options: LoadClusterConfigOptions = {}) => loadClusterConfig({ path: file, env: {}, ...options }),
    readTokens: async (): Promise<unknown> => {
      const { users } = parse(await readFile(file, 'utf8'))
      return users[0].user['auth-provider'].config
    },
  }
}

test('tokens are renewed by the provider of the kubeconfig and stay in memory', async () => {
  const { issuer } = await startProvider('localhost')
  const { load, readTokens } = await setUp(issuer)
  const { credentials } = await load()
  expect((await credentials.get()).authorization).toBe(`Bearer ${idToken}`)
  expect(await readTokens()).toMatchObject({ 'refresh-token': 'r1' })
})

test('with writeBack, renewed tokens are in the kubeconfig for the next process', async () => {
  const { issuer } = await startProvider('localhost')
  const { load, readTokens } = await setUp(issuer)
  await (await load({ oidc: { writeBack: true } })).credentials.get()
  expect(await readTokens()).toMatchObject({ 'id-token': idToken, 'refresh-token': 'r2' })
})

test('the provider is reached through the proxy of the environment', async () => {
  const { issuer, port } = await startProvider('idp.example.com')
  const asked: (string | undefined)[] = []
  const proxy = createProxy().on('connect', (incoming, socket) => {
    asked.push(incoming.url)
    const far = connect(port, 'localhost', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      far.pipe(socket).pipe(far)
    })
    far.on('error', () => socket.destroy())
    socket.on('error', () => far.destroy())
  })
  const proxyPort = await listen(proxy)
  const { load } = await setUp(issuer)
  const { credentials } = await load({ env: { HTTPS_PROXY: `http://localhost:${proxyPort}` } })
  expect((await credentials.get()).authorization).toBe(`Bearer ${idToken}`)
  expect(asked).toEqual([`idp.example.com:${port}`, `idp.example.com:${port}`])
})

test('a broken proxy is an error, not a reason to go around it', async () => {
  const { load } = await setUp('https://idp.example.com')
  const env = { HTTPS_PROXY: 'ftp://proxy', NO_PROXY: 'a.example.com' }
  const { credentials } = await load({ env })
  await expect(credentials.get()).rejects.toMatchObject({
    code: 'KW_OIDC',
    message: expect.stringContaining('HTTPS_PROXY'),
  })
})
