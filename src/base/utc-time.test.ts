import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUtcTime, parseUtcTime } from './utc-time.js'

describe('formatUtcTime', () => {
  test('drops the digits that are not asked for and never rounds up to the next second', () => {
    const ms = 1_700_000_000_999.876
    expect(formatUtcTime(ms, 0)).toBe('2023-11-14T22:13:20Z')
    expect(formatUtcTime(ms, 3)).toBe('2023-11-14T22:13:20.999Z')
    expect(formatUtcTime(ms, 6)).toBe('2023-11-14T22:13:20.999876Z')
    expect(formatUtcTime(-0.001, 6)).toBe('1969-12-31T23:59:59.999999Z')
  })

  test('says the same as Date for every millisecond from the year 0 to 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (ms) => {
        expect(formatUtcTime(ms, 0)).toBe(`${new Date(ms).toISOString().slice(0, 19)}Z`)
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1840), max: Date.UTC(2100) }), (ms) => {
        expect(formatUtcTime(ms, 3)).toBe(new Date(ms).toISOString())
        expect(parseUtcTime(new Date(ms).toISOString())).toBe(ms)
      }),
      { numRuns: 500 },
    )
  })

  test('every microsecond of our age survives being written and read', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1840) * 1000, max: Date.UTC(2100) * 1000 }), (us) => {
        const text = formatUtcTime(us / 1000, 6) ?? ''
        expect(Math.round((parseUtcTime(text) ?? 0) * 1000)).toBe(us)
      }),
      { numRuns: 500 },
    )
  })

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [253_402_300_800_000], [-62_167_219_200_001]])(
    '%d has no four digits for its year',
    (ms) => {
      expect(formatUtcTime(ms, 0)).toBeUndefined()
    },
  )
})

describe('parseUtcTime', () => {
  test.each([
    ['2023-11-14T22:13:20Z', 1_700_000_000_000],
    ['2023-11-14T22:13:20.5Z', 1_700_000_000_500],
    ['2023-11-14T22:13:20.123456Z', 1_700_000_000_123.456],
    ['2023-11-14T22:13:20.123456789Z', 1_700_000_000_123.456],
    ['2023-11-15T00:13:20+02:00', 1_700_000_000_000],
    ['2023-11-14T16:43:20-05:30', 1_700_000_000_000],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ])('%s', (text, ms) => {
    expect(parseUtcTime(text)).toBe(ms)
  })

  test.each([
    [''],
    ['2023-11-14'],
    ['2023-11-14 22:13:20Z'],
    ['2023-11-14T22:13:20'],
    ['2023-11-14t22:13:20z'],
    ['2023-02-29T00:00:00Z'],
    ['1900-02-29T00:00:00Z'],
    ['2023-13-01T00:00:00Z'],
    ['2023-00-01T00:00:00Z'],
    ['2023-04-31T00:00:00Z'],
    ['2023-01-01T24:00:00Z'],
    ['2023-01-01T00:00:60Z'],
    ['2023-01-01T00:00:00.Z'],
    ['2023-01-01T00:00:00+25:00'],
    ['2023-01-01T00:00:00+00:60'],
    ['Tue, 14 Nov 2023 22:13:20 GMT'],
  ])('%o is no time', (text) => {
    expect(parseUtcTime(text)).toBeUndefined()
  })
})
