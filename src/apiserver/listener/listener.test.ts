import { createHash, X509Certificate } from 'node:crypto'
import { request } from 'node:https'
import { afterEach, expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import type { Credentials } from '../auth/authenticator.js'
import { partsResponse } from '../output/parts-response.js'
import type { ReceivedRequest } from '../router.js'
import { type Listener, listen } from './listener.js'

const authority = createCertificateAuthority({ commonName: 'test' })
const client = issueCertificate(authority, {
  commonName: 'jane',
  organizations: ['team', 'other'],
  purposes: ['client'],
})
let listener: Listener | undefined

afterEach(async () => {
  await listener?.close(0)
})

interface Seen {
  readonly request: ReceivedRequest
  readonly credentials: Credentials
  /** Of the answer, as bytes. */
  readonly warning: string
}

/** Sends one request, and tells what the handler got and how its answer looks on the wire. */
async function exchange(headers: Record<string, string | string[]>): Promise<Seen> {
  let got: Pick<Seen, 'request' | 'credentials'> | undefined
  const serving = issueCertificate(authority, {
    commonName: 'server',
    ipAddresses: ['127.0.0.1'],
    purposes: ['server'],
  })
  listener = await listen(
    async (incoming, credentials) => {
      got = { request: incoming, credentials }
      return partsResponse(200, 'text/plain', [], { warning: '299 - "– ünïcode"' })
    },
    { host: '127.0.0.1', port: 0, isExposed: false, serving, clientAuthority: authority.cert },
  )
  const { host, port } = listener
  const warning = await new Promise<string>((resolve, reject) => {
    const { cert, key } = client
    request({ host, port, ca: authority.cert, cert, key, headers, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.headers.warning ?? '')
    })
      .on('error', reject)
      .end()
  })
  if (got === undefined) throw new Error('nothing came in')
  return { ...got, warning }
}

test('a client certificate names the user, his groups and itself', async () => {
  const { credentials } = await exchange({})
  const fingerprint = createHash('sha256').update(new X509Certificate(client.cert).raw).digest('hex')
  expect(credentials.certificateUser).toEqual({
    name: 'jane',
    groups: ['team', 'other'],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  })
})

test('warnings go out in UTF-8', async () => {
  const { warning } = await exchange({})
  expect(Buffer.from(warning, 'latin1').toString()).toBe('299 - "– ünïcode"')
})

test('headers that impersonate keep their values apart', async () => {
  const { request: received } = await exchange({
    'impersonate-user': 'joe',
    'impersonate-group': ['a, b', 'c'],
  })
  expect(received.distinctHeaders?.['impersonate-group']).toEqual(['a, b', 'c'])
})
