import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBackoff } from './backoff.js'
import { seededRandom } from './random.js'

const steady = { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 0, random: () => 0 }

describe('createBackoff', () => {
  test('grows by the factor from the initial delay to the longest one and stays there', () => {
    const backoff = createBackoff(steady)
    const delays = Array.from({ length: 8 }, () => backoff.next(0))
    expect(delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
  })

  test('starts again after a reset', () => {
    const backoff = createBackoff(steady)
    backoff.next(0)
    backoff.next(0)
    backoff.reset()
    expect(backoff.next(0)).toBe(800)
  })

  test('starts again after a long time without a failure, and not a moment sooner', () => {
    const backoff = createBackoff({ ...steady, resetAfterMs: 120_000 })
    backoff.next(0)
    expect(backoff.next(120_000)).toBe(1600)
    expect(backoff.next(240_001)).toBe(800)
  })

  test('every delay lies between its step and that step with the full jitter', () => {
    fc.assert(
      fc.property(
        fc.record({
          initialMs: fc.double({ min: 1, max: 1000, noNaN: true }),
          growth: fc.double({ min: 1, max: 100, noNaN: true }),
          factor: fc.double({ min: 1, max: 10, noNaN: true }),
          jitter: fc.double({ min: 0, max: 2, noNaN: true }),
          seed: fc.integer(),
        }),
        ({ initialMs, growth, factor, jitter, seed }) => {
          const maxMs = initialMs * growth
          const backoff = createBackoff({ initialMs, maxMs, factor, jitter, random: seededRandom(seed) })
          let step = initialMs
          let isWithin = true
          for (let tries = 0; tries < 50; tries++) {
            const delay = backoff.next(tries)
            isWithin &&= delay >= step && delay <= step * (1 + jitter)
            step = Math.min(step * factor, maxMs)
          }
          expect(isWithin).toBe(true)
        },
      ),
    )
  })
})
