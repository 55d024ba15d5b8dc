import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityToInteger,
  subtractQuantities,
} from './quantity.js'

const canonical = (text: string): string => formatQuantity(parseQuantity(text))
const refusal = expect.objectContaining({ code: 'KW_QUANTITY_INVALID' })

describe('parseQuantity and formatQuantity', () => {
  // Left what people write, right what kube-apiserver 1.36 makes of it.
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['0Ki', '0'],
    ['0.0', '0'],
    ['1', '1'],
    ['100m', '100m'],
    ['0.1', '100m'],
    ['1.5', '1500m'],
    ['1000m', '1'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['1234567', '1234567'],
    ['0.1m', '100u'],
    ['1000000n', '1m'],
    ['1e3', '1e3'],
    ['1E3', '1E3'],
    ['1000e3', '1e6'],
    ['1.5e3', '1500'],
    ['1e-3', '1e-3'],
    ['12e6', '12e6'],
    ['1e100', '10e99'],
    ['1E', '1E'],
    ['1Ki', '1Ki'],
    ['1024Ki', '1Mi'],
    ['1025Ki', '1025Ki'],
    ['1500Mi', '1500Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['1.1Ki', '1126400m'],
    ['0.0001Ki', '102400u'],
    ['-1.5Gi', '-1536Mi'],
    ['-2Ki', '-2Ki'],
    ['+5', '+5'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
  })

  test.each([['1.500'], ['0100'], ['+1Ki'], ['1.G']])(
    'keeps %s as it came, because the API server does',
    (text) => {
      expect(canonical(text)).toBe(text)
    },
  )

  test('an amount below one billionth is rounded away from zero, never to nothing', () => {
    expect(canonical('0.0000000001')).toBe('1n')
    expect(canonical('-0.0000000001')).toBe('-1n')
    expect(canonical('1.0000000001')).toBe('1000000001n')
    expect(canonical('1e-999999999')).toBe('1e-9')
    expect(canonical('0.0000000001Ki')).toBe('103n')
  })

  test('a binary suffix caps at the largest integer of 64 bits', () => {
    expect(canonical('7Ei')).toBe('7Ei')
    expect(canonical('8Ei')).toBe('9223372036854775807')
    expect(canonical('-100Ei')).toBe('-9223372036854775807')
  })

  test('an amount beyond the last suffix keeps its value', () => {
    expect(canonical('1000E')).toBe('1000E')
    expect(formatQuantity(addQuantities('7Ei', { nanos: 2n ** 70n * 10n ** 9n, format: 'BinarySI' }))).toBe(
      '1031Ei',
    )
  })

  test.each([
    [''],
    ['+'],
    ['.'],
    ['m'],
    ['Ki'],
    ['1 Ki'],
    [' 1'],
    ['1ki'],
    ['1KiB'],
    ['1.2.3'],
    ['1e'],
    ['1e3.5'],
    ['--1'],
    ['0x10'],
    ['1_000'],
    ['NaN'],
    ['\u0661'],
  ])('%o is refused with a code and what to write instead', (text) => {
    expect(() => parseQuantity(text)).toThrow(refusal)
  })

  test('an amount of absurd size is refused before it costs memory', () => {
    expect(() => parseQuantity('1e999999999')).toThrow(refusal)
    expect(() => parseQuantity(`1e${'9'.repeat(500)}`)).toThrow(refusal)
    expect(() => parseQuantity('9'.repeat(1_000_000))).toThrow(refusal)
    expect(canonical('0e999999999')).toBe('0')
  })

  test('JSON numbers are quantities too', () => {
    expect(formatQuantity(parseQuantity(2))).toBe('2')
    expect(formatQuantity(parseQuantity(0.5))).toBe('500m')
    expect(formatQuantity(parseQuantity(1e21))).toBe('1e+21')
    expect(formatQuantity(parseQuantity(9007199254740993n))).toBe('9007199254740993')
    expect(() => parseQuantity(Number.POSITIVE_INFINITY)).toThrow(refusal)
  })

  const suffix = fc.constantFrom(
    '',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'E',
    'Ki',
    'Mi',
    'Gi',
    'e3',
    'E-2',
    'e+7',
  )
  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.stringMatching(/^\d{1,20}$/),
      fc.stringMatching(/^(\.\d{0,12})?$/),
      suffix,
    )
    .map((parts) => parts.join(''))

  test('the canonical text has the same value and is its own canonical text', () => {
    fc.assert(
      fc.property(text, (written) => {
        const quantity = parseQuantity(written)
        const again = parseQuantity(formatQuantity(quantity))
        expect(again.nanos).toBe(quantity.nanos)
        expect(formatQuantity(again)).toBe(formatQuantity(quantity))
      }),
      { numRuns: 500 },
    )
  })

  test('what is added can be taken away again, and order does not change the sum', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const sum = addQuantities(left, right)
        expect(addQuantities(right, left).nanos).toBe(sum.nanos)
        expect(compareQuantities(subtractQuantities(sum, right), left)).toBe(0)
        expect(compareQuantities(left, right)).toBe(compareQuantities(subtractQuantities(left, right), 0))
      }),
    )
  })
})

describe('compareQuantities', () => {
  test('looks at the amount, not at the spelling', () => {
    expect(compareQuantities('500m', '0.5')).toBe(0)
    expect(compareQuantities('1Ki', '1k')).toBe(1)
    expect(compareQuantities('-1', '1m')).toBe(-1)
    expect(compareQuantities('9007199254740993', '9007199254740992')).toBe(1)
  })
})

describe('addQuantities and subtractQuantities', () => {
  test('are exact where floating numbers are not', () => {
    expect(formatQuantity(addQuantities('0.1', '0.2'))).toBe('300m')
    expect(formatQuantity(subtractQuantities('0.3', '0.1'))).toBe('200m')
  })

  test('keep the format of the left side, or of the right side where the left is zero', () => {
    expect(formatQuantity(addQuantities('1Gi', '1G'))).toBe('2073741824')
    expect(formatQuantity(addQuantities('1Gi', '1Mi'))).toBe('1025Mi')
    expect(formatQuantity(addQuantities('0', '2Ki'))).toBe('2Ki')
    expect(formatQuantity(subtractQuantities('0', '2Ki'))).toBe('-2Ki')
  })
})

describe('quantityToInteger', () => {
  test('rounds away from zero', () => {
    expect(quantityToInteger('1.5Gi')).toBe(1_610_612_736n)
    expect(quantityToInteger('1m')).toBe(1n)
    expect(quantityToInteger('-1m')).toBe(-1n)
    expect(quantityToInteger('250m', 'milli')).toBe(250n)
    expect(quantityToInteger('0.0001', 'milli')).toBe(1n)
    expect(quantityToInteger('0')).toBe(0n)
  })
})
