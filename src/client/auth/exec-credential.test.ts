import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { describeRequest, parseAnswer } from './exec-credential.js'

const apiVersion = 'client.authentication.k8s.io/v1'
const answer = (status: unknown): string => JSON.stringify({ kind: 'ExecCredential', apiVersion, status })

test('a token and its end are read', () => {
  const parsed = parseAnswer(
    answer({ token: 'abc', expirationTimestamp: '2030-01-31T12:00:00Z' }),
    apiVersion,
  )
  expect(parsed).toMatchObject({ kind: 'credentials', expiresAtMs: Date.UTC(2030, 0, 31, 12) })
  expect(parsed.kind === 'credentials' && parsed.credentials.authorization).toBe('Bearer abc')
})

test('a token may come without an end', () => {
  const parsed = parseAnswer(answer({ token: 'abc', expirationTimestamp: null }), apiVersion)
  expect(parsed).not.toHaveProperty('expiresAtMs')
})

test('a client certificate is read if it belongs to its key', () => {
  const authority = createCertificateAuthority({ commonName: 'test' })
  const [one, other] = ['one', 'other'].map((commonName) =>
    issueCertificate(authority, { commonName, purposes: ['client'] }),
  )
  const good = parseAnswer(answer({ clientCertificateData: one?.cert, clientKeyData: one?.key }), apiVersion)
  expect(good.kind === 'credentials' && good.credentials.clientCertificate).toEqual(one)
  const bad = parseAnswer(answer({ clientCertificateData: one?.cert, clientKeyData: other?.key }), apiVersion)
  expect(bad).toMatchObject({ kind: 'problem', message: expect.stringContaining('does not belong') })
})

test.each([
  ['nothing', '', 'did not write an ExecCredential'],
  ['not JSON', 'token: SECRET', 'did not write an ExecCredential'],
  ['JSON of another kind', '{"kind":"Pod"}', 'did not write an ExecCredential'],
  [
    'another version',
    JSON.stringify({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      status: {},
    }),
    'another version',
  ],
  ['no status', JSON.stringify({ kind: 'ExecCredential', apiVersion }), 'has no status'],
  ['an empty status', answer({}), 'neither a token nor a client certificate'],
  ['half a pair', answer({ clientKeyData: 'SECRET' }), 'only one of client certificate and key'],
  ['a token with a line break', answer({ token: 'SECRET\nX: y' }), 'spaces or control characters'],
  ['a wrong end', answer({ token: 'SECRET', expirationTimestamp: 'tomorrow' }), 'expirationTimestamp'],
  [
    'a broken certificate',
    answer({ clientCertificateData: 'SECRET', clientKeyData: 'SECRET' }),
    'not usable',
  ],
])('an answer with %s is a problem, and is not quoted', (_what, output, message) => {
  const parsed = parseAnswer(output, apiVersion)
  expect(parsed).toMatchObject({ kind: 'problem', message: expect.stringContaining(message) })
  expect(JSON.stringify(parsed)).not.toContain('SECRET')
})

test('no output makes the reader throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((status) => answer(JSON.parse(status))),
      ),
      (output) => {
        expect(['credentials', 'problem']).toContain(parseAnswer(output, apiVersion).kind)
      },
    ),
  )
})

test('a plugin is told the version, whether it may ask questions, and the cluster if it wants to know', () => {
  expect(JSON.parse(describeRequest({ apiVersion, interactive: false }))).toEqual({
    kind: 'ExecCredential',
    apiVersion,
    spec: { interactive: false },
  })
  const cluster = { server: 'https://example.com', config: null }
  expect(JSON.parse(describeRequest({ apiVersion, interactive: true, cluster }))).toMatchObject({
    spec: { interactive: true, cluster },
  })
})
