import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idTokenExpiryMs } from './id-token.js'

const jwt = (claims: unknown): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

test('the end of a JWT is read, with or without a fraction', () => {
  expect(idTokenExpiryMs(jwt({ exp: 1_900_000_000 }))).toBe(1_900_000_000_000)
  expect(idTokenExpiryMs(jwt({ exp: 1.5 }))).toBe(1_500)
})

test('what is no JWT, or does not say when it ends, has no end', () => {
  for (const token of ['', 'abc', 'a.b.c', 'a.b.c.d', jwt({}), jwt({ exp: 'soon' }), jwt([]), jwt(null)])
    expect(idTokenExpiryMs(token)).toBeUndefined()
})

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (payload, rest) => {
      expect(() => idTokenExpiryMs(`${rest}.${payload}.x`)).not.toThrow()
    }),
  )
})
