import { expect, test } from 'vitest'
import type { Clock } from '../base/index.js'
import { createRateLimiter } from './rate-limit.js'

/** Timers fire when time is moved; each is a promise turn of its own. */
function standingClock(): Clock & { advance(ms: number): Promise<void> } {
  let nowMs = 0
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>()
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.add(timer)
      return { cancel: () => timers.delete(timer) }
    },
    async advance(ms) {
      nowMs += ms
      for (const timer of timers) if (timer.atMs <= nowMs && timers.delete(timer)) timer.callback()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('a burst passes at once, the rest at the rate, in order', async () => {
  const clock = standingClock()
  const limiter = createRateLimiter({ qps: 10, burst: 2 }, clock)
  const passed: number[] = []
  for (let index = 0; index < 4; index++) void limiter.take(undefined).then(() => passed.push(index))
  await clock.advance(0)
  expect(passed).toEqual([0, 1])
  await clock.advance(100)
  expect(passed).toEqual([0, 1, 2])
  await clock.advance(100)
  expect(passed).toEqual([0, 1, 2, 3])
})

test('after a pause the burst is whole again, and no more than that', async () => {
  const clock = standingClock()
  const limiter = createRateLimiter({ qps: 10, burst: 2 }, clock)
  await clock.advance(60_000)
  const passed: number[] = []
  for (let index = 0; index < 3; index++) void limiter.take(undefined).then(() => passed.push(index))
  await clock.advance(0)
  expect(passed).toEqual([0, 1])
})

test('a request that is aborted gives its turn to the next', async () => {
  const clock = standingClock()
  const limiter = createRateLimiter({ qps: 10, burst: 1 }, clock)
  await limiter.take(undefined)
  const controller = new AbortController()
  const aborted = limiter.take(controller.signal)
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  let passed = false
  void limiter.take(undefined).then(() => (passed = true))
  await clock.advance(100)
  expect(passed).toBe(true)
})
