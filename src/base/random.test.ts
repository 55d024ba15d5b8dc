import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from './random.js'

describe('seededRandom', () => {
  test('gives the same sequence for the same seed, on every machine and in every version', () => {
    const random = seededRandom(42)
    expect([random(), random(), random()]).toEqual([
      0.6011037519201636, 0.44829055899754167, 0.8524657934904099,
    ])
  })

  test('stays in [0, 1) for every seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed)
        const values = Array.from({ length: 100 }, random)
        expect(values.every((value) => value >= 0 && value < 1)).toBe(true)
      }),
    )
  })

  test('two generators do not share state', () => {
    const first = seededRandom(1)
    const second = seededRandom(1)
    first()
    first()
    const third = seededRandom(1)
    expect(second()).toBe(third())
  })

  test('fills the range evenly', () => {
    const random = seededRandom(7)
    const buckets = Array.from({ length: 10 }, () => 0)
    for (let draw = 0; draw < 100_000; draw++) {
      const bucket = Math.floor(random() * 10)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    }
    for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })
})
