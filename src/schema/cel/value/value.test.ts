import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Meter } from '../plan/meter.js'
import { civilFromSeconds, dayOfWeek, secondsFromCivil } from './civil-time.js'
import { compareValues } from './compare.js'
import { formatFixed, formatGeneral, formatPlain, formatScientific, parseDouble } from './double.js'
import { formatDuration, parseDuration, parseWordyDuration } from './duration.js'
import { equalValues } from './equality.js'
import { parseInt64, parseUint64 } from './int64.js'
import { listOf } from './list.js'
import { mapOf } from './map.js'
import { characterCount, compareText, quoteText, trimSpace } from './text.js'
import { formatTimestamp, parseTimestamp } from './timestamp.js'
import { uint } from './value.js'

const meter = (): Meter => new Meter(1_000_000)
const wellFormed = fc.string({ unit: 'grapheme' })

describe('doubles', () => {
  test('are written so that they read back the same', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseDouble(formatPlain(value))).toBe(value)
        expect(parseDouble(formatGeneral(value))).toBe(value)
      }),
    )
  })

  test.each([
    [1_000_000, '1e+06', '1000000', '1000000.00'],
    [0.0001, '0.0001', '0.0001', '0.00'],
    [0.00001, '1e-05', '0.00001', '0.00'],
    [2.675, '2.675', '2.675', '2.67'],
    [-0, '-0', '-0', '-0.00'],
    [1e21, '1e+21', '1000000000000000000000', '1000000000000000000000.00'],
  ])('%d', (value, general, plain, fixed) => {
    expect([formatGeneral(value), formatPlain(value), formatFixed(value, 2)]).toEqual([general, plain, fixed])
  })

  test('have an exponent of two digits at least', () => {
    expect([formatScientific(1.5, 3), formatScientific(1e-100, 0)]).toEqual(['1.500e+00', '1e-100'])
  })

  test.each(['', ' 1', '1e', '0x1', '1__0', '1e400', 'infinit', '--1'])('%j is none', (text) => {
    expect(parseDouble(text)).toBeUndefined()
  })

  test('may be hexadecimal or have underscores', () => {
    expect([parseDouble('0x1p-2'), parseDouble('1_000.5'), parseDouble('-Inf')]).toEqual([
      0.25,
      1000.5,
      -Infinity,
    ])
  })
})

test('integers have 64 bits and nothing around them', () => {
  expect(parseInt64('+9223372036854775807')).toBe(9223372036854775807n)
  for (const text of ['9223372036854775808', ' 1', '1_0', '0x1', '', '-'])
    expect(parseInt64(text)).toBeUndefined()
  expect(parseUint64('18446744073709551615')).toBe(18446744073709551615n)
  for (const text of ['18446744073709551616', '+1', '-1']) expect(parseUint64(text)).toBeUndefined()
})

describe('texts', () => {
  test('are ordered like their UTF-8 bytes', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (left, right) => {
        expect(compareText(left, right)).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)))
      }),
    )
  })

  test('are as long as they have characters', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(characterCount(text)).toBe([...text].length)
      }),
    )
  })

  test('are quoted with everything escaped that does not print', () => {
    expect(quoteText('a"\\\n\u0000\u200b\u{e0001}é😀')).toBe('"a\\"\\\\\\n\\x00\\u200b\\U000e0001é😀"')
  })

  test('are trimmed of white space, but not of a byte order mark', () => {
    expect(trimSpace('\u0085\u3000 a \ufeff')).toBe('a \ufeff')
  })
})

describe('times', () => {
  test('survive the way through the calendar', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
        const time = civilFromSeconds(seconds)
        expect(secondsFromCivil(time)).toBe(seconds)
        expect(dayOfWeek(time)).toBe(new Date(seconds * 1000).getUTCDay())
      }),
    )
  })

  test.each([
    ['2024-02-29T23:59:59.5Z', '2024-02-29T23:59:59.5Z'],
    ['2024-02-29T1:02:03+05:30', '2024-02-29T01:02:03+05:30'],
    ['0001-01-01T00:00:00,25-00:30', '0001-01-01T00:00:00.25-00:30'],
  ])('%s', (text, written) => {
    const parsed = parseTimestamp(text, 'rfc3339')
    expect(typeof parsed === 'string' ? parsed : formatTimestamp(parsed)).toBe(written)
  })

  test.each([
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2023-13-29', 'parsing time "2023-13-29": month out of range'],
    ['x', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['2024-01-01T00:00:00Zz', 'parsing time "2024-01-01T00:00:00Zz": extra text: "z"'],
  ])('%s is none', (text, problem) => {
    expect(parseTimestamp(text, 'rfc3339')).toBe(problem)
  })

  test('durations are read as they are written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n }), (nanos) => {
        expect(parseDuration(formatDuration(nanos))).toBe(nanos)
      }),
    )
  })

  test('durations of fields may use words', () => {
    expect(parseWordyDuration('2 days 3 hours')).toBe(183_600_000_000_000n)
    expect([parseWordyDuration('soon'), parseDuration('1d'), parseDuration('9999999h')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('equality and order', () => {
  test('numbers of all types are one line', () => {
    expect(equalValues(1n, 1, meter())).toBe(true)
    expect(equalValues(uint(1n), 1n, meter())).toBe(true)
    expect(compareValues(-1n, uint(2n ** 64n - 1n))).toBe(-1)
    expect(compareValues(Number.NaN, 1)).toMatchObject({ message: 'NaN values cannot be ordered' })
  })

  test('maps find their numbers whatever their type', () => {
    const map = mapOf([
      [1n, 'int'],
      [uint(2n), 'uint'],
    ])
    expect([map.find(1), map.find(uint(1n)), map.find(2n), map.find(1.5)]).toEqual([
      'int',
      'int',
      'uint',
      undefined,
    ])
  })

  test('lists are equal element by element', () => {
    expect(equalValues(listOf([1n, 'a']), listOf([1, 'a']), meter())).toBe(true)
    expect(equalValues(listOf([1n]), 1n, meter())).toBe(false)
    expect(equalValues(null, listOf([]), meter())).toBe(false)
  })
})
