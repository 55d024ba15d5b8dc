import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import type { LogFields, Logger } from '../../observe/index.js'
import { type LoadClusterConfigOptions, loadClusterConfig } from './load-cluster-config.js'

const authority = createCertificateAuthority({ commonName: 'cluster' })
const client = issueCertificate(authority, { commonName: 'jane', purposes: ['client'] })
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const keyBody = client.key.split('\n')[1] ?? ''

const secrets = ['S3CRET', base64('S3CRET').slice(0, 6), keyBody, base64(client.key).slice(0, 40)]

const document = (user: object, cluster: object = {}): object => ({
  'current-context': 'a',
  clusters: [{ name: 'a', cluster: { server: 'https://a.example.com', ...cluster } }],
  users: [{ name: 'a', user }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
})

const exec = (script: string): object => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  command: process.execPath,
  args: ['-e', script, 'S3CRET'],
  env: [{ name: 'PASSWORD', value: 'S3CRET' }],
  interactiveMode: 'Never',
})

/** Everything that anybody could see of a configuration and of what happens to it. */
async function everythingVisible(options: LoadClusterConfigOptions): Promise<string> {
  const seen: unknown[] = []
  const record = (message: string, fields?: LogFields): void => void seen.push(message, fields)
  const log: Logger = { debug: record, info: record, warn: record, error: record, with: () => log }
  try {
    const config = await loadClusterConfig({ env: {}, log, ...options })
    seen.push(config, { ...config }, JSON.stringify(config), JSON.stringify({ ...config }))
    const credentials = await config.credentials.get()
    seen.push(credentials, JSON.stringify(credentials))
    config.credentials.refused(credentials)
    seen.push(config)
  } catch (error) {
    seen.push(error)
    if (error instanceof Error) seen.push(error.message, error.stack, JSON.stringify(error))
  }
  return inspect(seen, { depth: null, showHidden: true, getters: true })
}

test.each<[string, LoadClusterConfigOptions]>([
  ['a token', { document: document({ token: 'S3CRET' }) }],
  ['a bad token', { document: document({ token: 'S3CRET with spaces' }) }],
  ['a password', { document: document({ username: 'jane', password: 'S3CRET' }) }],
  ['a token of the wrong type', { document: document({ token: ['S3CRET'] }) }],
  [
    'a client key',
    {
      document: document({
        'client-certificate-data': base64(client.cert),
        'client-key-data': base64(client.key),
      }),
    },
  ],
  [
    'a client key of another certificate',
    {
      document: document({
        'client-certificate-data': base64(authority.cert),
        'client-key-data': base64(client.key),
      }),
    },
  ],
  [
    'a client key that is broken',
    {
      document: document({
        'client-certificate-data': base64(client.cert),
        'client-key-data': base64(client.key.replace(/\n(?=.{10,20}\n-)/, '\n!')),
      }),
    },
  ],
  ['a proxy password', { document: document({}, { 'proxy-url': 'http://me:S3CRET@proxy:3128' }) }],
  ['a broken proxy', { document: document({}, { 'proxy-url': 'ftp://me:S3CRET@proxy:3128' }) }],
  ['a proxy in the environment', { document: document({}), env: { HTTPS_PROXY: 'http://me:S3CRET@proxy' } }],
  ['a password in the server', { document: document({}, { server: 'https://me:S3CRET@a.example.com' }) }],
  ['a plugin', { document: document({ exec: exec('') }) }],
  [
    'a plugin that is denied',
    { document: document({ exec: exec('') }), exec: { policy: { type: 'DenyAll' } } },
  ],
  ['a plugin that fails', { document: document({ exec: exec('process.exit(1)') }) }],
  ['a plugin that talks', { document: document({ exec: exec('console.log("S3CRET")') }) }],
  [
    'a plugin with a bad answer',
    {
      document: document({
        exec: exec(
          'console.log(JSON.stringify({ ...JSON.parse(process.env.KUBERNETES_EXEC_INFO), status: { token: "S3CRET S3CRET" } }))',
        ),
      }),
    },
  ],
  [
    'tokens of an identity provider',
    {
      document: document({
        'auth-provider': {
          name: 'oidc',
          config: {
            'idp-issuer-url': 'https://127.0.0.1:1',
            'client-id': 'x',
            'client-secret': 'S3CRET',
            'id-token': 'S3CRET',
            'refresh-token': 'S3CRET',
          },
        },
      }),
    },
  ],
])('nobody sees %s', async (_what, options) => {
  const visible = await everythingVisible(options)
  for (const secret of secrets) expect(visible).not.toContain(secret)
})

test.each([
  ['broken JSON', '{"users": [{"name": "a", "user": {"token": "S3CRET"}]'],
  ['broken YAML', 'users:\n- name: a\n  user:\n    token: S3CRET\n   x: S3CRET\n'],
  ['a line without a key', 'users:\n  S3CRET\nS3CRET\n'],
  ['an unknown alias', 'token: *S3CRET\n'],
  ['an unknown tag', 'token: !S3CRET S3CRET\n'],
  ['a structured key', '? [S3CRET]\n: S3CRET\n'],
])('nobody sees the text of a kubeconfig with %s', async (_what, text) => {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-redaction-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'config'), text)
  const visible = await everythingVisible({ path: join(directory, 'config') })
  expect(visible).toContain('KW_CLUSTER_CONFIG_INVALID')
  for (const secret of secrets) expect(visible).not.toContain(secret)
})

test('what may be seen of a configuration is enough to recognise it', async () => {
  const config = await loadClusterConfig({
    env: {},
    document: document({ token: 'S3CRET', as: 'jane' }, { 'proxy-url': 'http://me:S3CRET@proxy:3128' }),
  })
  expect(JSON.parse(JSON.stringify(config))).toEqual({
    origin: 'context a from the document',
    server: 'https://a.example.com',
    namespace: 'default',
    trust: { insecureSkipVerify: false },
    credentials: '[hidden]',
    impersonate: { user: 'jane' },
    proxyUrl: 'http://[hidden]@proxy:3128',
  })
  expect(inspect({ ...config, namespace: 'mine' })).toContain("namespace: 'mine'")
})
