import { expect, test } from 'vitest'
import { systemClock } from '../../base/index.js'
import { createBucketLimiter } from './bucket-limiter.js'

function newLimiter(options: { qps: number; burst: number }) {
  const time = { nowMs: 0 }
  const limiter = createBucketLimiter({ ...options, clock: { ...systemClock, monotonic: () => time.nowMs } })
  return { time, limiter }
}

test('the burst begins at once, the rest at the given rate', () => {
  const { limiter } = newLimiter({ qps: 10, burst: 3 })
  const delays = Array.from({ length: 6 }, () => limiter.when('a'))
  expect(delays).toEqual([0, 0, 0, 100, 200, 300])
})

test('what was lent is paid back before there is a burst again', () => {
  const { time, limiter } = newLimiter({ qps: 10, burst: 2 })
  for (let count = 0; count < 4; count++) limiter.when('a')
  time.nowMs = 200
  expect(limiter.when('a')).toBe(100)
  time.nowMs = 100_000
  expect([limiter.when('a'), limiter.when('b'), limiter.when('c')]).toEqual([0, 0, 100])
})

test('keys share the bucket, and forgetting one gives nothing back', () => {
  const { limiter } = newLimiter({ qps: 1, burst: 1 })
  expect(limiter.when('a')).toBe(0)
  limiter.forget('a')
  expect(limiter.when('b')).toBe(1000)
  expect(limiter.retries('b')).toBe(0)
})

test.each([
  { qps: 0, burst: 1 },
  { qps: Number.NaN, burst: 1 },
  { qps: 1, burst: 0 },
  { qps: 1, burst: Number.POSITIVE_INFINITY },
])('%j is refused', (options) => {
  expect(() => newLimiter(options)).toThrow(expect.objectContaining({ code: 'KW_QUEUE_INVALID_RATE_LIMIT' }))
})
