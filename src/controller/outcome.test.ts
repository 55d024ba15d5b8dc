import { describe, expect, test } from 'vitest'
import { again, checkOutcome, InvalidOutcomeError, settled } from './outcome.js'

describe('what a reconcile may return', () => {
  test('is settled, again, or nothing', () => {
    expect(checkOutcome(settled())).toEqual({ kind: 'settled' })
    expect(checkOutcome(undefined)).toEqual({ kind: 'settled' })
    expect(checkOutcome(again({ afterMs: 30 * 24 * 3_600_000 }))).toEqual({
      kind: 'again',
      afterMs: 2_592_000_000,
    })
    expect(checkOutcome(again({ afterMs: 0 }))).toEqual({ kind: 'again', afterMs: 0 })
  })

  test.each([
    [Number.NaN],
    [-1],
    [Number.POSITIVE_INFINITY],
    ['5s' as unknown as number],
    [undefined as unknown as number],
  ])('is not a delay of %s', (afterMs) => {
    expect(() => again({ afterMs })).toThrow(InvalidOutcomeError)
    expect(() => checkOutcome({ kind: 'again', afterMs })).toThrow(InvalidOutcomeError)
  })

  test.each([[null], [true], ['settled'], [{ requeue: true }], [{ kind: 'later' }]])(
    'is not %o',
    (returned) => {
      expect(() => checkOutcome(returned)).toThrow(/settled\(\) or again/)
    },
  )
})
