import { expect, test } from 'vitest'
import { InvalidRateLimitError } from '../errors.js'
import { createExponentialLimiter } from './exponential-limiter.js'

test('the delay doubles from 5 ms to 1000 s, reached with the 19th try', () => {
  const limiter = createExponentialLimiter()
  const delays = Array.from({ length: 20 }, () => limiter.when('a'))
  expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40])
  expect(delays.slice(17)).toEqual([655_360, 1_000_000, 1_000_000])
})

test('after thousands of failures the delay is still the longest one', () => {
  const limiter = createExponentialLimiter()
  for (let failure = 0; failure < 5000; failure++) limiter.when('a')
  expect(limiter.when('a')).toBe(1_000_000)
  expect(limiter.retries('a')).toBe(5001)
})

test('keys do not slow each other down', () => {
  const limiter = createExponentialLimiter()
  for (let failure = 0; failure < 10; failure++) limiter.when('poison')
  expect(limiter.when('healthy')).toBe(5)
})

test('a forgotten key starts anew', () => {
  const limiter = createExponentialLimiter({ baseMs: 1, maxMs: 8 })
  expect([1, 2, 3, 4, 5].map(() => limiter.when('a'))).toEqual([1, 2, 4, 8, 8])
  limiter.forget('a')
  expect(limiter.retries('a')).toBe(0)
  expect(limiter.when('a')).toBe(1)
})

test.each([
  { baseMs: 0 },
  { baseMs: Number.NaN },
  { maxMs: Number.POSITIVE_INFINITY },
  { baseMs: 10, maxMs: 5 },
])('%j is refused', (options) => {
  expect(() => createExponentialLimiter(options)).toThrow(InvalidRateLimitError)
})
