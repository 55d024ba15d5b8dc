import { describe, expect, test } from 'vitest'
import { isSecretName, redactText } from './redaction.js'

describe('isSecretName', () => {
  test.each([
    ['authorization'],
    ['Authorization'],
    ['Proxy-Authorization'],
    ['cookie'],
    ['Set-Cookie'],
    ['token'],
    ['id-token'],
    ['refresh_token'],
    ['accessToken'],
    ['bearerToken'],
    ['password'],
    ['client-key-data'],
    ['clientKeyData'],
    ['client_secret'],
    ['tls.key'],
    ['X-API-Key'],
    ['privateKey'],
  ])('%s names a secret', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  test.each([['name'], ['key'], ['secretName'], ['tokenExpiresAt'], ['secret'], ['keys'], ['']])(
    '%s does not: it is what people look for in logs',
    (name) => {
      expect(isSecretName(name)).toBe(false)
    },
  )
})

describe('redactText', () => {
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW06YWRtaW4ifQ.c2lnbmF0dXJl'
  test.each([
    ['Authorization: Bearer abc.def', 'Authorization: [redacted]'],
    ['authorization=Basic dXNlcjpwYXNz, next', 'authorization=[redacted], next'],
    ['{"Authorization":"Bearer abc.def"}', '{"Authorization":"[redacted]"}'],
    ['sent bearer 0123456789abcdef0123 to it', 'sent bearer [redacted] to it'],
    [`the token ${jwt} has expired`, 'the token [redacted] has expired'],
    ['get https://me:hunter2@example.com/api failed', 'get https://[redacted]@example.com/api failed'],
    ['GET /callback?id_token=abc123def456&x=1', 'GET /callback?id_token=[redacted]&x=1'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest', '[redacted]\nrest'],
    ['cut off: -----BEGIN PRIVATE KEY-----\nMIIE', 'cut off: [redacted]'],
    ['{"apiVersion":"v1","data":{"a":"c2VjcmV0"},"kind":"Secret"}', '[redacted]'],
    ['apiVersion: v1\nkind: Secret\nstringData:\n  a: b\n', '[redacted]'],
    ['{"kind":"TokenReview","spec":{"token":"x"}}', '[redacted]'],
    [JSON.stringify({ text: JSON.stringify({ kind: 'Secret', data: {} }) }), '[redacted]'],
    ['body was {"kind": "SecretList", "items": []}', '[redacted]'],
  ])('%o', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test.each([
    ['The bearer of bad news is the messenger.'],
    ['Basic authentication is not supported.'],
    ['https://example.com/a@b and 5 > 4'],
    ['{"kind":"Deployment","metadata":{"name":"SecretKeeper"}}'],
    ['kind: SecretProviderClass in this cluster'],
    ['eyJ is how many tokens begin'],
  ])('leaves %o alone', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test('a hostile text is searched in no time', () => {
    expect(redactText(`://${'a'.repeat(500_000)}`)).toHaveLength(500_003)
    expect(redactText(`kind:${' '.repeat(500_000)}x`)).toHaveLength(500_006)
    expect(redactText('eyJaaaaaaaa.'.repeat(50_000)).length).toBeGreaterThan(0)
  })
})
