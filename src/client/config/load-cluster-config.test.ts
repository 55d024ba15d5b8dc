import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { type LoadClusterConfigOptions, loadClusterConfig } from './load-cluster-config.js'

const authority = createCertificateAuthority({ commonName: 'cluster' })
const client = issueCertificate(authority, { commonName: 'jane', purposes: ['client'] })
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A kubeconfig with one cluster, user and context of the same name. */
const one = (name: string, user: object = { token: `token-of-${name}` }, cluster: object = {}) => ({
  'current-context': name,
  clusters: [{ name, cluster: { server: `https://${name}.example.com`, ...cluster } }],
  users: [{ name, user }],
  contexts: [{ name, context: { cluster: name, user: name } }],
})

/** A home directory, maybe in a pod, and the files in it. */
async function setUp(files: Record<string, unknown> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'kubewright-config-'))
  onTestFinished(() => rm(home, { recursive: true }))
  await mkdir(join(home, '.kube'))
  for (const [name, content] of Object.entries(files))
    await writeFile(join(home, name), typeof content === 'string' ? content : stringify(content))
  const warnings: string[] = []
  const log: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  const serviceAccount = join(home, 'serviceaccount')
  const path = (name: string): string => join(home, name)
  return {
    path,
    warnings,
    load: (options: LoadClusterConfigOptions = {}) =>
      loadClusterConfig({
        log,
        serviceAccountDirectory: serviceAccount,
        ...options,
        env: { HOME: home, ...options.env },
      }),
    /** Makes this a pod with a service account, and returns its environment. */
    enterPod: async () => {
      await mkdir(serviceAccount)
      await writeFile(join(serviceAccount, 'token'), 'pod-token\n')
      await writeFile(join(serviceAccount, 'ca.crt'), authority.cert)
      await writeFile(join(serviceAccount, 'namespace'), 'pod-namespace\n')
      return { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' }
    },
  }
}

const problemsOf = async (loading: Promise<unknown>): Promise<readonly string[]> => {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'KW_CLUSTER_CONFIG_INVALID' })
  // Proof: an error of that code has problems.
  const { problems } = error as { problems: readonly { path?: string; message: string }[] }
  return problems.map(({ path, message }) => `${path ?? ''}: ${message}`)
}

test('the order is: explicit path, KUBECONFIG, the pod, the home directory', async () => {
  const { path, load, enterPod } = await setUp({
    explicit: one('explicit'),
    listed: one('listed'),
    '.kube/config': one('home'),
  })
  expect((await load()).server).toBe('https://home.example.com')
  const pod = await enterPod()
  expect((await load({ env: pod })).server).toBe('https://10.0.0.1:6443')
  const env = { ...pod, KUBECONFIG: path('listed') }
  expect((await load({ env })).server).toBe('https://listed.example.com')
  expect((await load({ env, path: path('explicit') })).server).toBe('https://explicit.example.com')
  expect((await load({ env, path: path('explicit'), document: one('memory') })).server).toBe(
    'https://memory.example.com',
  )
})

test('a named context, cluster, user or server means a kubeconfig, not the pod', async () => {
  const { load, enterPod } = await setUp({ '.kube/config': one('home') })
  const env = await enterPod()
  expect((await load({ env, context: 'home' })).server).toBe('https://home.example.com')
  expect((await load({ env, cluster: 'home' })).server).toBe('https://home.example.com')
  expect((await load({ env, master: 'https://other.example.com' })).server).toBe('https://other.example.com')
})

test('KUBECONFIG files are merged: the first entry of a name and the first current-context count', async () => {
  const { path, load } = await setUp({
    a: { ...one('shared', { token: 'from-a' }, { 'tls-server-name': 'a' }), 'current-context': '' },
    b: {
      ...one('shared', { token: 'from-b', as: 'b' }, { 'proxy-url': 'http://b' }),
      'current-context': 'mixed',
      contexts: [{ name: 'mixed', context: { cluster: 'shared', user: 'only-c' } }],
    },
    c: { ...one('only-c', { token: 'from-c' }), 'current-context': 'only-c' },
  })
  const env = {
    KUBECONFIG: ['', path('a'), path('missing'), path('b'), path('a'), path('c')].join(delimiter),
  }
  const config = await load({ env })
  expect(config).toMatchObject({ server: 'https://shared.example.com', trust: { serverName: 'a' } })
  expect(config).not.toHaveProperty('proxyUrl')
  expect((await config.credentials.get()).authorization).toBe('Bearer from-c')
  expect(config.origin).toBe(`context mixed from ${path('b')}`)
  expect((await (await load({ env, user: 'shared' })).credentials.get()).authorization).toBe('Bearer from-a')
})

test('several explicit paths are merged too, and each must exist', async () => {
  const { path, load } = await setUp({ a: one('a'), b: one('b') })
  expect((await load({ path: [path('b'), path('a')] })).server).toBe('https://b.example.com')
  await expect(load({ path: [path('a'), path('missing')] })).rejects.toMatchObject({
    code: 'KW_CLUSTER_CONFIG_MISSING',
    tried: [path('missing')],
  })
})

test('a KUBECONFIG whose files are all missing is warned of, and does not fall back to the home directory', async () => {
  const { path, load, warnings, enterPod } = await setUp({ '.kube/config': one('home') })
  const env = { KUBECONFIG: path('missing') }
  await expect(load({ env })).rejects.toMatchObject({ code: 'KW_CLUSTER_CONFIG_MISSING' })
  expect(warnings).toEqual([expect.stringContaining('None of the kubeconfig files exists')])
  expect((await load({ env: { ...env, ...(await enterPod()) } })).server).toBe('https://10.0.0.1:6443')
})

test('nothing anywhere is an error that lists where was looked', async () => {
  const { path, load } = await setUp()
  await expect(load()).rejects.toMatchObject({
    code: 'KW_CLUSTER_CONFIG_MISSING',
    tried: ['the service account of a pod', path('.kube/config')],
  })
  await expect(load()).rejects.toThrow('name a kubeconfig with --kubeconfig or KUBECONFIG')
})

test('the working directory is never looked at', async () => {
  const { path, load } = await setUp({
    kubeconfig: one('trap'),
    config: one('trap'),
    '.kubeconfig': one('trap'),
  })
  const before = process.cwd()
  process.chdir(path('.'))
  onTestFinished(() => process.chdir(before))
  await expect(load()).rejects.toMatchObject({ code: 'KW_CLUSTER_CONFIG_MISSING' })
})

test('in a pod: the service account, its namespace and its authority', async () => {
  const { load, enterPod } = await setUp()
  const env = await enterPod()
  const config = await load({ env })
  expect(config).toMatchObject({
    server: 'https://10.0.0.1:6443',
    namespace: 'pod-namespace',
    origin: 'context in-cluster from the service account of this pod',
    trust: { insecureSkipVerify: false },
  })
  expect((await config.credentials.get()).authorization).toBe('Bearer pod-token')
  expect(await config.trust.ca()).toBe(authority.cert)
  expect((await load({ env: { ...env, POD_NAMESPACE: 'other' } })).namespace).toBe('other')
  expect((await load({ env, namespace: 'chosen' })).namespace).toBe('chosen')
  const ipv6 = { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' }
  expect((await load({ env: ipv6 })).server).toBe('https://[fd00::1]:6443')
  expect((await load({ env, overrides: { as: 'jane' } })).impersonate).toEqual({ user: 'jane' })
})

test('in a pod without a usable authority, those of the system are used', async () => {
  const { path, load, enterPod } = await setUp()
  const env = await enterPod()
  await writeFile(path('serviceaccount/ca.crt'), 'not PEM')
  expect(await (await load({ env })).trust.ca()).toBeUndefined()
})

test('in a pod with an empty token, the problem names the file', async () => {
  const { path, load, enterPod } = await setUp()
  const env = await enterPod()
  await writeFile(path('serviceaccount/token'), '')
  expect(await problemsOf(load({ env }))).toEqual([expect.stringContaining('it is empty')])
})

test('a kubeconfig without a namespace takes that of the pod it is used in, else default', async () => {
  const { load, enterPod } = await setUp()
  expect((await load({ document: one('a') })).namespace).toBe('default')
  expect((await load({ document: one('a'), env: await enterPod() })).namespace).toBe('pod-namespace')
})

test('context, cluster, user and namespace can be chosen one by one', async () => {
  const { load } = await setUp()
  const [a, b] = [one('a'), one('b')]
  const document = {
    'current-context': 'a',
    clusters: [...a.clusters, ...b.clusters],
    users: [...a.users, ...b.users],
    contexts: [...a.contexts, { name: 'b', context: { cluster: 'b', user: 'b', namespace: 'from-b' } }],
  }
  expect(await load({ document, context: 'b' })).toMatchObject({
    server: 'https://b.example.com',
    namespace: 'from-b',
  })
  const mixed = await load({ document, context: 'b', cluster: 'a', user: 'a', namespace: 'mine' })
  expect(mixed).toMatchObject({ server: 'https://a.example.com', namespace: 'mine' })
  expect((await mixed.credentials.get()).authorization).toBe('Bearer token-of-a')
  expect(mixed.origin).toBe('context b, cluster a, user a from the document')
  // Flags that were not given are often empty.
  expect((await load({ document, context: '', cluster: '', namespace: '' })).server).toBe(
    'https://a.example.com',
  )
})

test('names that lead nowhere are reported with those that exist', async () => {
  const { load } = await setUp()
  const document = one('a')
  expect(await problemsOf(load({ document, context: 'b' }))).toEqual([
    'context: there is no context "b": use one of "a"',
  ])
  expect(await problemsOf(load({ document, cluster: 'b', user: 'c' }))).toEqual([
    'cluster: there is no cluster "b": use one of "a"',
    'user: there is no user "c": use one of "a"',
  ])
  const dangling = { ...document, contexts: [{ name: 'a', context: { cluster: 'x', user: 'y' } }] }
  expect(await problemsOf(load({ document: dangling }))).toEqual([
    'contexts[0].context.cluster: there is no cluster "x": use one of "a"',
    'contexts[0].context.user: there is no user "y": use one of "a"',
  ])
  expect(await problemsOf(load({ document: { ...document, 'current-context': 'gone' } }))).toEqual([
    'current-context: there is no context "gone": use one of "a"',
  ])
  expect(await problemsOf(load({ document: { ...document, 'current-context': '' } }))).toEqual([
    'current-context: it is missing: choose one of "a" with --context',
  ])
  const headless = { ...document, contexts: [{ name: 'a', context: { user: 'a' } }] }
  expect(await problemsOf(load({ document: headless }))).toEqual([
    'contexts[0].context.cluster: it is missing: name a cluster of the kubeconfig',
  ])
})

test('--master replaces the server and the name that belonged to it, and needs no kubeconfig', async () => {
  const { load, path } = await setUp()
  const document = one('a', { token: 't' }, { 'tls-server-name': 'a' })
  const config = await load({ document, master: 'https://other:6443/' })
  expect(config.server).toBe('https://other:6443')
  expect(config.trust).not.toHaveProperty('serverName')
  expect(config.origin).toBe('context a from the document, server overridden')
  expect((await config.credentials.get()).authorization).toBe('Bearer t')
  const alone = await load({ master: 'localhost:8080', env: { KUBECONFIG: path('missing') } })
  expect(alone).toMatchObject({
    server: 'http://localhost:8080',
    origin: 'the options',
    namespace: 'default',
  })
  expect({ ...(await alone.credentials.get()) }).toEqual({})
})

test('overrides replace fields as the flags of kubectl do', async () => {
  const { load, path } = await setUp({ 'ca.crt': authority.cert, token: 'from-file' })
  const document = one('a', { username: 'u', password: 'p' }, { 'insecure-skip-tls-verify': true })
  const secured = await load({
    document,
    overrides: { certificateAuthority: path('ca.crt'), tlsServerName: 'x' },
  })
  expect(secured.trust).toMatchObject({ insecureSkipVerify: false, serverName: 'x' })
  expect(await secured.trust.ca()).toBe(authority.cert)
  const insecure = await load({
    document: one('a', {}, { 'certificate-authority-data': base64(authority.cert) }),
    overrides: { insecureSkipTlsVerify: true },
  })
  expect(insecure.trust.insecureSkipVerify).toBe(true)
  expect(await insecure.trust.ca()).toBeUndefined()
  const token = await load({ document, overrides: { token: 'mine' } })
  expect((await token.credentials.get()).authorization).toBe('Bearer mine')
  const file = await load({ document, overrides: { tokenFile: path('token') } })
  expect((await file.credentials.get()).authorization).toBe('Bearer from-file')
  const proxied = await load({ document, overrides: { proxyUrl: 'http://proxy:3128' } })
  expect(proxied.proxyUrl).toBe('http://proxy:3128')
})

test.each([
  ['a token', { token: 't' }, { authorization: 'Bearer t' }],
  ['a password', { username: 'jöe', password: 'p:q' }, { authorization: `Basic ${base64('jöe:p:q')}` }],
  [
    'a certificate',
    { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
    { clientCertificate: client },
  ],
  [
    'a certificate and a token',
    { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key), token: 't' },
    { authorization: 'Bearer t', clientCertificate: client },
  ],
  ['nothing', {}, {}],
])('a user with %s', async (_what, user, expected) => {
  const { load } = await setUp()
  const config = await load({ document: one('a', user) })
  const credentials = await config.credentials.get()
  expect({ ...credentials }).toEqual(expected)
  expect(config.credentials.refused(credentials)).toBe(false)
})

test('files are named relative to the kubeconfig, and may be mixed with data', async () => {
  const { load, path } = await setUp({
    'tls.crt': client.cert,
    'tls.key': client.key,
    token: 'from-file',
    'ca.crt': authority.cert,
    files: one(
      'a',
      { 'client-certificate': 'tls.crt', 'client-key': 'tls.key', tokenFile: 'token' },
      { 'certificate-authority': 'ca.crt' },
    ),
    mixed: one('a', { 'client-certificate-data': base64(client.cert), 'client-key': 'tls.key' }),
  })
  const config = await load({ path: path('files') })
  expect(await config.trust.ca()).toBe(authority.cert)
  expect({ ...(await config.credentials.get()) }).toEqual({
    authorization: 'Bearer from-file',
    clientCertificate: client,
  })
  const mixed = await load({ path: path('mixed') })
  expect({ ...(await mixed.credentials.get()) }).toEqual({ clientCertificate: client })
})

test('a plugin beside the kubeconfig brings the credentials, knows the cluster, and yields to a token', async () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: './bin/login',
    interactiveMode: 'Never',
    provideClusterInfo: true,
  }
  const cluster = {
    'certificate-authority-data': base64(authority.cert),
    'proxy-url': 'http://proxy:3128',
    'tls-server-name': 'name',
    extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }],
  }
  const { load, path } = await setUp({
    config: one('a', { exec }, cluster),
    both: one('a', { exec, token: 'static' }, cluster),
  })
  await mkdir(path('bin'))
  await writeFile(
    path('bin/login'),
    `#!${process.execPath}
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
require('node:fs').writeFileSync(${JSON.stringify(path('seen'))}, JSON.stringify(info.spec.cluster))
console.log(JSON.stringify({ ...info, status: { token: 'from-plugin' } }))`,
  )
  await chmod(path('bin/login'), 0o755)

  const both = await load({ path: path('both') })
  expect((await both.credentials.get()).authorization).toBe('Bearer static')
  await expect(readFile(path('seen'))).rejects.toThrow('ENOENT')

  const config = await load({ path: path('config') })
  await expect(readFile(path('seen'))).rejects.toThrow('ENOENT')
  expect((await config.credentials.get()).authorization).toBe('Bearer from-plugin')
  expect(JSON.parse(await readFile(path('seen'), 'utf8'))).toEqual({
    server: 'https://a.example.com',
    'tls-server-name': 'name',
    'certificate-authority-data': base64(authority.cert),
    'proxy-url': 'http://proxy:3128',
    config: { audience: 'x' },
  })
  const denied = await load({ path: path('config'), exec: { policy: { type: 'DenyAll' } } })
  await expect(denied.credentials.get()).rejects.toMatchObject({ code: 'KW_EXEC_PLUGIN', failure: 'denied' })
})

test('impersonation is read as a whole', async () => {
  const { load } = await setUp()
  const document = one('a', {
    as: 'jane',
    'as-uid': '7',
    'as-groups': ['dev'],
    'as-user-extra': { s: ['x', 'y'] },
  })
  expect((await load({ document })).impersonate).toEqual({
    user: 'jane',
    uid: '7',
    groups: ['dev'],
    extra: { s: ['x', 'y'] },
  })
})

test('no credentials go to a server without encryption', async () => {
  const { load, warnings } = await setUp()
  const document = one('a', { token: 't', as: 'jane' }, { server: 'http://a.example.com' })
  const config = await load({ document })
  expect({ ...(await config.credentials.get()) }).toEqual({})
  expect(config.impersonate).toEqual({ user: 'jane' })
  expect(warnings).toEqual([expect.stringContaining('no credentials are sent')])
})

test('skipping verification is warned of', async () => {
  const { load, warnings } = await setUp()
  const config = await load({ document: one('a', {}, { 'insecure-skip-tls-verify': true }) })
  expect(config.trust.insecureSkipVerify).toBe(true)
  expect(warnings).toEqual([expect.stringContaining('is not verified (insecure-skip-tls-verify)')])
})

const v1 = { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Never' }
const cert = { 'client-certificate-data': base64(client.cert) }

test.each([
  [{}, { server: '' }, 'clusters[0].cluster.server: it is missing'],
  [{}, { server: 'ftp://x' }, 'clusters[0].cluster.server: the scheme ftp: is not supported'],
  [{}, { 'proxy-url': 'ftp://x' }, 'clusters[0].cluster.proxy-url: it is not a proxy URL'],
  [
    {},
    { 'certificate-authority-data': '%%%' },
    'clusters[0].cluster.certificate-authority-data: it is not base64',
  ],
  [
    {},
    { 'certificate-authority-data': base64('x') },
    'certificate-authority-data: it holds no PEM certificate',
  ],
  [
    {},
    { 'certificate-authority': '/missing' },
    'clusters[0].cluster.certificate-authority: Cannot use /missing',
  ],
  [
    {},
    { 'certificate-authority-data': base64(authority.cert), 'insecure-skip-tls-verify': true },
    'clusters[0].cluster.insecure-skip-tls-verify: a certificate authority is there too',
  ],
  [{ token: 'a b' }, {}, 'users[0].user.token: it holds spaces'],
  [{ token: 't', password: 'p' }, {}, 'users[0].user.token: username or password is there too'],
  [{ tokenFile: '/missing' }, {}, 'users[0].user.tokenFile: Cannot use /missing'],
  [cert, {}, 'users[0].user.client-key: it is missing'],
  [{ ...cert, 'client-key-data': base64('x') }, {}, 'client key: it holds no PEM private key'],
  [{ ...cert, 'client-key-data': '%' }, {}, 'users[0].user.client-key-data: it is not base64'],
  [
    { ...cert, 'client-key-data': base64(authority.key) },
    {},
    'the client key does not belong to the client certificate',
  ],
  [{ ...cert, 'client-key': '/missing' }, {}, 'users[0].user.client-key: Cannot use /missing'],
  [
    { 'client-certificate': '/missing', 'client-key': '/missing' },
    {},
    'users[0].user.client-certificate: Cannot use',
  ],
  [{ exec: { ...v1, command: '' } }, {}, 'users[0].user.exec.command: it is missing'],
  [{ exec: { ...v1, apiVersion: 'x' } }, {}, 'users[0].user.exec.apiVersion: it is missing or not supported'],
  [
    { exec: { ...v1, interactiveMode: '' } },
    {},
    'users[0].user.exec.interactiveMode: it is missing or not known',
  ],
  [{ exec: { ...v1, env: [{ value: 'x' }] } }, {}, 'users[0].user.exec.env: a variable has no name'],
  [{ exec: v1, 'auth-provider': { name: 'oidc' } }, {}, 'users[0].user.auth-provider: exec is there too'],
  [{ 'auth-provider': { name: 'gcp' } }, {}, 'users[0].user.auth-provider.name: only oidc is supported'],
  [
    { 'auth-provider': { name: 'oidc', config: { 'client-id': 'x' } } },
    {},
    'config.idp-issuer-url: it is missing',
  ],
  [{ 'as-groups': ['x'] }, {}, 'users[0].user.as: it is missing'],
])('the mistake in user %j, cluster %j is named', async (user, cluster, message) => {
  const { load } = await setUp()
  const problems = await problemsOf(load({ document: one('a', user, cluster) }))
  expect(problems).toEqual(expect.arrayContaining([expect.stringContaining(message)]))
})

test('an older plugin needs no interactiveMode', async () => {
  const { load } = await setUp()
  const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'x' }
  await expect(load({ document: one('a', { exec }) })).resolves.toBeDefined()
})

test('a mistake in the exec policy is never passed over', async () => {
  const { load } = await setUp()
  const loading = load({
    document: one('a', { exec: v1 }),
    exec: { policy: { type: 'Allowlist', commands: [] } },
  })
  expect(await problemsOf(loading)).toEqual([expect.stringContaining('the allowlist is empty')])
})

test('a time-out that is none is refused', async () => {
  const { load } = await setUp()
  for (const timeoutMs of [Number.NaN, 0, -1])
    expect(await problemsOf(load({ document: one('a', { exec: v1 }), exec: { timeoutMs } }))).toHaveLength(1)
})

test('a current-context that leads nowhere is reported with the files that were read', async () => {
  const { load, path } = await setUp({ a: { 'current-context': 'x' }, b: one('b') })
  await expect(load({ path: [path('a'), path('b')] })).rejects.toMatchObject({
    problems: [{ source: `${path('a')}, ${path('b')}`, path: 'current-context' }],
  })
})

test('a namespace that is none is refused', async () => {
  const { load } = await setUp()
  expect(await problemsOf(load({ document: one('a'), namespace: '../kube-system' }))).toHaveLength(1)
})

test('all mistakes are reported at once, each with its file and place', async () => {
  const { load, path } = await setUp({
    a: 'users:\n- name: 5\n  user: {token: [1]}\n',
    b: 'clusters:\n\t- name: b\n',
    c: one('c'),
  })
  await mkdir(path('d'))
  const env = { KUBECONFIG: ['a', 'b', 'c', 'd'].map(path).join(delimiter) }
  const error: unknown = await load({ env }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'KW_CLUSTER_CONFIG_INVALID',
    problems: [
      { source: path('a'), path: 'users[0].name' },
      { source: path('a'), path: 'users[0].user.token' },
      { source: path('b'), message: expect.stringMatching(/line 2, column 1/) },
      { source: path('d'), message: expect.stringContaining('it is a directory') },
    ],
  })
  expect(String(error)).toContain('has 4 problems:\n- ')
})

test('a file that is too large is refused unread', async () => {
  const { load, path } = await setUp({ large: '#'.repeat(5 * 1024 * 1024) })
  expect(await problemsOf(load({ path: path('large') }))).toEqual([
    expect.stringContaining('larger than 4 MiB'),
  ])
})

test('a file that is not UTF-8 is refused with advice', async () => {
  const { load, path } = await setUp()
  await writeFile(path('utf16'), Buffer.from('\ufeffapiVersion: v1\n', 'utf16le'))
  expect(await problemsOf(load({ path: path('utf16') }))).toEqual([
    expect.stringContaining('save it as UTF-8'),
  ])
})

test('the proxy comes from the environment, unless it is this machine', async () => {
  const { load } = await setUp()
  const env = { HTTPS_PROXY: 'http://proxy:3128' }
  expect((await load({ document: one('a'), env })).proxyUrl).toBe('http://proxy:3128')
  const local = one('a', {}, { server: 'https://127.0.0.1:6443' })
  expect(await load({ document: local, env })).not.toHaveProperty('proxyUrl')
})
