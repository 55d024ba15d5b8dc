import { describe, expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.js'

const nowMs = Date.UTC(2026, 10, 15, 12, 0, 0)

describe('Retry-After', () => {
  test('in seconds', () => {
    expect(parseRetryAfter('1', nowMs)).toBe(1_000)
    expect(parseRetryAfter(['5', '7'], nowMs)).toBe(5_000)
  })

  test('as a date', () => {
    expect(parseRetryAfter('Sun, 15 Nov 2026 12:00:30 GMT', nowMs)).toBe(30_000)
    expect(parseRetryAfter(new Date(nowMs + 90_000).toUTCString(), nowMs)).toBe(90_000)
  })

  test('as a date on any day agrees with the calendar', () => {
    for (let day = -800; day < 800; day += 7) {
      const at = nowMs + day * 86_400_000
      expect(parseRetryAfter(new Date(at + 60_000).toUTCString(), at)).toBe(60_000)
    }
  })

  test.each(['-5', 'Sun, 15 Nov 2020 12:00:00 GMT'])('in the past (%s) means at once', (header) => {
    expect(parseRetryAfter(header, nowMs)).toBe(0)
  })

  test.each(['1000000000', 'Sun, 15 Nov 2099 12:00:00 GMT'])('far away (%s) means two minutes', (header) => {
    expect(parseRetryAfter(header, nowMs)).toBe(120_000)
  })

  test.each([undefined, '', 'soon', '1.5', 'Sun, 15 Foo 2026 12:00:30 GMT', []])(
    'that says nothing: %j',
    (header) => {
      expect(parseRetryAfter(header, nowMs)).toBeUndefined()
    },
  )
})
