import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeContinue, encodeContinue, encodeInconsistentContinue } from './continue-token.js'

const token = (text: string): string => Buffer.from(text).toString('base64url')

test('a token is the one that the real server would make', () => {
  expect(encodeContinue('c2', 677)).toBe(
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Njc3LCJzdGFydCI6Ii9jMlx1MDAwMCJ9',
  )
  expect(encodeInconsistentContinue('c1\0')).toBe(
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYzFcdTAwMDAifQ',
  )
})

test('what is encoded is decoded', () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,10}[a-z0-9])?$/)
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 2 }), fc.integer({ min: 1 }), (names, revision) => {
      const key = names.join('/')
      expect(decodeContinue(encodeContinue(key, revision))).toEqual({ revision, start: `${key}\0` })
      expect(decodeContinue(encodeInconsistentContinue(`${key}\0`))).toEqual({
        revision: undefined,
        start: `${key}\0`,
      })
    }),
  )
})

// The answers of kube-apiserver 1.36.3.
describe('what is no token is refused in the words of the real server', () => {
  test.each([
    ['a', 'illegal base64 data at input byte 0'],
    ['a.b', 'illegal base64 data at input byte 1'],
    ['abcde', 'illegal base64 data at input byte 4'],
    ['====', 'illegal base64 data at input byte 0'],
    ['eyJ2=', 'illegal base64 data at input byte 4'],
    ['YQ', "invalid character 'a' looking for beginning of value"],
    [
      token('{"v":"meta.k8s.io/v1","rv":0,"start":"/c1"}'),
      'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [token('{"v":"meta.k8s.io/v1","rv":5,"start":""}'), 'encoded start key empty (version meta.k8s.io/v1)'],
    [token('{"v":"meta.k8s.io/v1","rv":5,"start":"../x"}'), '../x'],
    [token('{"v":"meta.k8s.io/v1","rv":5,"start":"/a/../x"}'), '/a/../x'],
    [token('{"v":"v2","rv":5,"start":"x"}'), 'server does not recognize this encoded version v2'],
    [
      token('{"v":"v2","rv":"5"}'),
      'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [token('{"v":"v2","rv":5'), 'unexpected end of JSON input'],
  ])('%s', (text, message) => {
    expect(() => decodeContinue(text)).toThrow(
      `invalid continue token: continue key is not valid: ${message}`,
    )
  })
})
