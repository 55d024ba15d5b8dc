import { expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { loadClusterConfig } from './load-cluster-config.js'
import { toKubeconfig } from './to-kubeconfig.js'

test('what is written is read back', async () => {
  const authority = createCertificateAuthority({ commonName: 'cluster' })
  const client = issueCertificate(authority, { commonName: 'jane', purposes: ['client'] })
  const document = toKubeconfig({
    name: 'test',
    server: 'https://127.0.0.1:6443',
    certificateAuthority: authority.cert,
    tlsServerName: 'kubernetes',
    proxyUrl: 'http://proxy:3128',
    namespace: 'here',
    token: 't',
    clientCertificate: client,
  })
  const config = await loadClusterConfig({ document: JSON.parse(JSON.stringify(document)), env: {} })
  expect(config).toMatchObject({
    server: 'https://127.0.0.1:6443',
    namespace: 'here',
    proxyUrl: 'http://proxy:3128',
    trust: { serverName: 'kubernetes', insecureSkipVerify: false },
  })
  expect(await config.trust.ca()).toBe(authority.cert)
  expect({ ...(await config.credentials.get()) }).toEqual({
    authorization: 'Bearer t',
    clientCertificate: client,
  })
})

test('an anonymous, unverified cluster needs no more than its server', () => {
  expect(toKubeconfig({ name: 'x', server: 'https://a', insecureSkipTlsVerify: true })).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    clusters: [{ name: 'x', cluster: { server: 'https://a', 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'x', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
  })
})
