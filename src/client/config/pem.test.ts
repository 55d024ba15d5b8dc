import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { certificatesProblem, decodeBase64, keyPairProblem } from './pem.js'

const authority = createCertificateAuthority({ commonName: 'test' })
const [one, other] = [1, 2].map((n) =>
  issueCertificate(authority, { commonName: `client ${n}`, purposes: ['client'] }),
)
if (one === undefined || other === undefined) throw new Error('no certificates')

test('base64 is decoded strictly, line breaks aside', () => {
  expect(decodeBase64('aGVsbG8=')).toBe('hello')
  expect(decodeBase64('aGVs\nbG8=\n')).toBe('hello')
  expect(decodeBase64('')).toBe('')
  for (const bad of ['aGVsbG8', 'aGV sbG8=', 'aGVsbG8_', 'a=VsbG8=', '=', 'aGVsbG8=aGVsbG8='])
    expect(decodeBase64(bad)).toBeUndefined()
})

test('a bundle of certificates may have comments and Windows line ends', () => {
  const bundle = `Root of the office\n${authority.cert}\r\n# next\r\n${one.cert.replaceAll('\n', '\r\n')}`
  expect(certificatesProblem(bundle)).toBeUndefined()
})

test('a bundle that is empty, cut off or broken is a problem in words', () => {
  expect(certificatesProblem('')).toContain('no PEM certificate')
  expect(certificatesProblem(one.key)).toContain('no PEM certificate')
  for (let length = 1; length < authority.cert.length - 1; length += 40)
    expect(certificatesProblem(authority.cert.slice(0, length))).toBeDefined()
  expect(certificatesProblem(authority.cert + one.cert.slice(0, 100))).toContain('cut off')
  expect(certificatesProblem(authority.cert.replace(/-----END.*\n/, '') + one.cert)).toContain('cut off')
  expect(certificatesProblem(authority.cert.replace(/^M/m, 'A'))).toContain('certificate 1 cannot be parsed')
})

test('a certificate and its key belong together, also behind a chain', () => {
  expect(keyPairProblem(one.cert, one.key)).toBeUndefined()
  expect(keyPairProblem(one.cert + authority.cert, one.key)).toBeUndefined()
  expect(keyPairProblem(one.cert, other.key)).toContain('does not belong')
})

test('an unusable key is a problem in words, which never quote it', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pkcs8 = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const
  expect(keyPairProblem(one.cert, privateKey.export(pkcs8).toString())).toContain('it is encrypted')
  const sec1 = { ...pkcs8, type: 'sec1' } as const
  expect(keyPairProblem(one.cert, privateKey.export(sec1).toString())).toContain('it is encrypted')
  expect(keyPairProblem(one.cert, one.key.slice(0, 60))).toContain('cut off')
  expect(keyPairProblem(one.cert, 'SECRET')).toContain('no PEM private key')
  const broken = '-----BEGIN PRIVATE KEY-----\nU0VDUkVU\n-----END PRIVATE KEY-----\n'
  expect(keyPairProblem(one.cert, broken)).toBe('client key: it cannot be parsed: write the file again')
})
