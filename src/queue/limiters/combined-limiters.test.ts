import { expect, test } from 'vitest'
import { systemClock } from '../../base/index.js'
import { createBucketLimiter } from './bucket-limiter.js'
import { createClientGoLimiter } from './client-go-limiter.js'
import { createExponentialLimiter } from './exponential-limiter.js'
import { createFastSlowLimiter } from './fast-slow-limiter.js'
import { maxOfLimiters } from './max-of-limiters.js'
import { withMaxWait } from './max-wait-limiter.js'

const stoppedClock = { ...systemClock, monotonic: () => 0 }

test('of several limiters the slowest decides, and each of them counts', () => {
  const limiter = maxOfLimiters(
    createExponentialLimiter({ baseMs: 1, maxMs: 100 }),
    createFastSlowLimiter({ fastMs: 3, slowMs: 5, fastTries: 3 }),
  )
  expect([1, 2, 3, 4, 5].map(() => limiter.when('a'))).toEqual([3, 3, 4, 8, 16])
  expect(limiter.retries('a')).toBe(5)
  limiter.forget('a')
  expect(limiter.retries('a')).toBe(0)
  expect(limiter.when('a')).toBe(3)
})

test('with a longest wait no key waits longer, and the limiter underneath goes on counting', () => {
  const limiter = withMaxWait(createExponentialLimiter({ baseMs: 1, maxMs: 100 }), 3)
  expect([1, 2, 3, 4].map(() => limiter.when('a'))).toEqual([1, 2, 3, 3])
  expect(limiter.retries('a')).toBe(4)
  limiter.forget('a')
  expect(limiter.when('a')).toBe(1)
})

test('a longest wait caps what a bucket has lent', () => {
  const limiter = withMaxWait(createBucketLimiter({ qps: 1, burst: 1, clock: stoppedClock }), 1500)
  expect([1, 2, 3, 4].map(() => limiter.when('a'))).toEqual([0, 1000, 1500, 1500])
})

test("client-go's default is a burst of 100 at 5 ms each, then ten a second", () => {
  const limiter = createClientGoLimiter({ clock: stoppedClock })
  const delays = Array.from({ length: 102 }, (_, index) => limiter.when(`key-${index}`))
  expect(delays.slice(0, 100).every((delayMs) => delayMs === 5)).toBe(true)
  expect(delays.slice(100)).toEqual([100, 200])
})
