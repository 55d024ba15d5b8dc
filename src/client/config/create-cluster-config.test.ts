import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { createClusterConfig } from './create-cluster-config.js'
import { loadClusterConfig } from './load-cluster-config.js'
import { toKubeconfig } from './to-kubeconfig.js'

const authority = createCertificateAuthority({ commonName: 'cluster' })
const clientCertificate = issueCertificate(authority, { commonName: 'jane', purposes: ['client'] })

test.each([
  {},
  { token: 'secret' },
  { clientCertificate },
  { token: 'secret', clientCertificate, tlsServerName: 'kubernetes', namespace: 'here' },
  { proxyUrl: 'http://proxy:3128' },
])('says what the kubeconfig of the same says', async (rest) => {
  const options = {
    name: 'test',
    server: 'https://127.0.0.1:6443/',
    certificateAuthority: authority.cert,
    ...rest,
  }
  const created = createClusterConfig(options)
  const loaded = await loadClusterConfig({ document: toKubeconfig(options), env: {} })
  const { origin: _created, ...shown } = JSON.parse(JSON.stringify(created))
  const { origin: _loaded, ...expected } = JSON.parse(JSON.stringify(loaded))
  expect(shown).toEqual(expected)
  expect(await created.trust.ca()).toBe(await loaded.trust.ca())
  expect({ ...(await created.credentials.get()) }).toEqual({ ...(await loaded.credentials.get()) })
})

test('shows no secret', async () => {
  const config = createClusterConfig({
    name: 'test',
    server: 'https://a',
    token: 'secret',
    clientCertificate,
  })
  const shown =
    inspect(config, { depth: 9 }) + inspect(await config.credentials.get()) + JSON.stringify(config)
  expect(shown).not.toMatch(/secret|PRIVATE KEY/)
})

test.each([
  ['http://a', 'credentials need https'],
  ['ftp://a', 'the scheme ftp: is not supported'],
  ['https://jane:pw@a', 'it holds a user name or password'],
  ['', 'it is not a URL'],
])('refuses the server %j', (server, message) => {
  expect(() => createClusterConfig({ name: 'test', server })).toThrow(message)
})
