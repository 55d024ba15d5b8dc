import { describe, expect, test } from 'vitest'
import { formatMicroTime, formatTime, parseTime } from './time.js'

const refusal = expect.objectContaining({ code: 'KW_TIME_INVALID' })

describe('formatTime and formatMicroTime', () => {
  test('a MicroTime has exactly six fraction digits, whatever the time', () => {
    expect(formatMicroTime(0)).toBe('1970-01-01T00:00:00.000000Z')
    expect(formatMicroTime(1_700_000_000_123)).toBe('2023-11-14T22:13:20.123000Z')
    expect(formatMicroTime(1_700_000_000_123.456)).toBe('2023-11-14T22:13:20.123456Z')
    expect(formatMicroTime(1_700_000_000_000.001)).toBe('2023-11-14T22:13:20.000001Z')
    expect(formatMicroTime(999.9999)).toBe('1970-01-01T00:00:01.000000Z')
    expect(formatMicroTime(-0.001)).toBe('1969-12-31T23:59:59.999999Z')
  })

  test('a Time has no fraction, and the fraction is dropped, not rounded', () => {
    expect(formatTime(1_700_000_000_999)).toBe('2023-11-14T22:13:20Z')
    expect(formatTime(-1)).toBe('1969-12-31T23:59:59Z')
  })

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [253_402_300_800_000], [-62_167_219_200_001]])(
    '%d is refused instead of written as a time that the server cannot read',
    (ms) => {
      expect(() => formatTime(ms)).toThrow(refusal)
      expect(() => formatMicroTime(ms)).toThrow(refusal)
    },
  )
})

describe('parseTime', () => {
  test('reads what the server writes', () => {
    expect(parseTime('2023-11-14T22:13:20Z')).toBe(1_700_000_000_000)
    expect(parseTime('2023-11-14T22:13:20.123456Z')).toBe(1_700_000_000_123.456)
    expect(parseTime('2023-11-15T00:13:20+02:00')).toBe(1_700_000_000_000)
  })

  test.each([[''], ['2023-11-14'], ['2023-02-29T00:00:00Z'], ['Tue, 14 Nov 2023 22:13:20 GMT']])(
    '%o is refused with a code',
    (text) => {
      expect(() => parseTime(text)).toThrow(refusal)
    },
  )
})
