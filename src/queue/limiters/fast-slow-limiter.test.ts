import { expect, test } from 'vitest'
import { createFastSlowLimiter } from './fast-slow-limiter.js'

test('a key has some quick tries, then slow ones, until it is forgotten', () => {
  const limiter = createFastSlowLimiter({ fastMs: 5, slowMs: 10_000, fastTries: 3 })
  expect([1, 2, 3, 4, 5].map(() => limiter.when('a'))).toEqual([5, 5, 5, 10_000, 10_000])
  expect(limiter.when('b')).toBe(5)
  expect(limiter.retries('a')).toBe(5)
  limiter.forget('a')
  expect(limiter.retries('a')).toBe(0)
  expect(limiter.when('a')).toBe(5)
})

test('a delay that is not a number is refused', () => {
  expect(() => createFastSlowLimiter({ fastMs: Number.NaN, slowMs: 1, fastTries: 1 })).toThrow(/fastMs/)
})
