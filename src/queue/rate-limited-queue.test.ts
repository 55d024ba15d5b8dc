import { describe, expect, test } from 'vitest'
import type { Clock, Timer } from '../base/index.js'
import { withDelays } from './delaying-queue.js'
import { createExponentialLimiter } from './limiters/exponential-limiter.js'
import type { RateLimiter } from './limiters/rate-limiter.js'
import { lowPriority } from './priority.js'
import { withRateLimits } from './rate-limited-queue.js'
import { createQueue } from './work-queue.js'

/** Time that moves only when told to. */
function fakeClock() {
  let nowMs = 0
  const timers = new Map<Timer, { atMs: number; callback: () => void }>()
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback) {
      const timer: Timer = { cancel: () => timers.delete(timer) }
      timers.set(timer, { atMs: nowMs + delayMs, callback })
      return timer
    },
  }
  const advance = (ms: number): void => {
    nowMs += ms
    for (const [timer, { atMs, callback }] of timers) {
      if (atMs > nowMs) continue
      timers.delete(timer)
      callback()
    }
  }
  return { clock, timers, advance }
}

function newQueue({ limiter = createExponentialLimiter() }: { limiter?: RateLimiter } = {}) {
  const time = fakeClock()
  return { ...time, queue: withRateLimits(withDelays(createQueue(), time), limiter) }
}

describe('retries', () => {
  test('a key that always fails is tried ever more slowly', async () => {
    const { queue, advance } = newQueue()
    queue.add('poison')
    const delays: number[] = []
    for (let round = 0; round < 5; round++) {
      const lease = await queue.get()
      queue.addRateLimited('poison')
      lease?.done()
      let waitedMs = 0
      for (; queue.length === 0; waitedMs++) advance(1)
      delays.push(waitedMs)
    }
    expect(delays).toEqual([5, 10, 20, 40, 80])
    expect(queue.retries('poison')).toBe(5)
  })

  test('a success forgets the failures', async () => {
    const { queue, advance } = newQueue()
    for (let failure = 0; failure < 8; failure++) queue.addRateLimited('a')
    queue.forget('a')
    expect(queue.retries('a')).toBe(0)
    queue.add('a')
    const lease = await queue.get()
    lease?.done()
    queue.addRateLimited('a')
    advance(5)
    expect(queue.length).toBe(1)
  })

  test('a retry that is given the priority of its lease keeps it', async () => {
    const { queue, advance } = newQueue()
    queue.add('listed', { priority: lowPriority })
    const lease = await queue.get()
    queue.addRateLimited('listed', { priority: lease?.priority })
    lease?.done()
    advance(5)
    queue.add('changed')
    expect(await queue.get()).toMatchObject({ key: 'changed', priority: 0 })
    expect(await queue.get()).toMatchObject({ key: 'listed', priority: lowPriority })
  })

  test('the rate limiter sees the string form of keys', () => {
    const named = createQueue({ idOf: (key: { name: string }) => key.name })
    const queue = withRateLimits(withDelays(named, fakeClock()), createExponentialLimiter())
    queue.addRateLimited({ name: 'a' })
    queue.addRateLimited({ name: 'a' })
    expect(queue.retries({ name: 'a' })).toBe(2)
    expect(queue.retries({ name: 'b' })).toBe(0)
  })

  test('a rate limiter that computes NaN is found out', () => {
    const limiter: RateLimiter = { when: () => Number.NaN, forget() {}, retries: () => 0 }
    const { queue } = newQueue({ limiter })
    expect(() => queue.addRateLimited('a')).toThrow(
      expect.objectContaining({ code: 'KW_QUEUE_INVALID_DELAY' }),
    )
  })
})

describe('addWithOptions', () => {
  test('adds several keys at one priority, in their order', async () => {
    const { queue } = newQueue()
    queue.add('ordinary')
    queue.addWithOptions({ priority: 1 }, 'a', 'b')
    queue.addWithOptions({}, 'c')
    const keys = [await queue.get(), await queue.get(), await queue.get(), await queue.get()]
    expect(keys.map((lease) => lease?.key)).toEqual(['a', 'b', 'ordinary', 'c'])
  })

  test('with a delay the keys wait', () => {
    const { queue, advance } = newQueue()
    queue.addWithOptions({ afterMs: 100 }, 'a', 'b')
    advance(99)
    expect(queue.length).toBe(0)
    advance(1)
    expect(queue.length).toBe(2)
  })

  test('with both a delay and the rate limit the shorter one counts', () => {
    const { queue, advance } = newQueue()
    queue.addWithOptions({ afterMs: 60_000, rateLimited: true }, 'limited')
    queue.addWithOptions({ afterMs: 1, rateLimited: true }, 'delayed')
    advance(1)
    expect([queue.has('delayed'), queue.has('limited')]).toEqual([true, false])
    advance(4)
    expect(queue.has('limited')).toBe(true)
    expect(queue.retries('delayed')).toBe(1)
  })

  test('several rate limited keys do not slow each other down', () => {
    const { queue, advance } = newQueue()
    queue.addWithOptions({ rateLimited: true }, 'a', 'b', 'c')
    advance(5)
    expect(queue.length).toBe(3)
  })

  test('options that make no sense add none of the keys and count no try', () => {
    const { queue } = newQueue()
    expect(() => queue.addWithOptions({ afterMs: Number.NaN, rateLimited: true }, 'a', 'b')).toThrow(
      expect.objectContaining({ code: 'KW_QUEUE_INVALID_DELAY' }),
    )
    expect(() => queue.addWithOptions({ priority: 0.5, rateLimited: true }, 'a', 'b')).toThrow(
      expect.objectContaining({ code: 'KW_QUEUE_INVALID_PRIORITY' }),
    )
    expect(queue.length).toBe(0)
    expect(queue.retries('a')).toBe(0)
  })
})
