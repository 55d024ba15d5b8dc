import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareResourceVersions } from './resource-version.js'

describe('compareResourceVersions', () => {
  test.each([
    ['1', '2', -1],
    ['2', '10', -1],
    ['100', '99', 1],
    ['7', '7', 0],
    ['9007199254740993', '9007199254740992', 1],
    ['18446744073709551616', '18446744073709551615', 1],
    [`1${'0'.repeat(40)}`, '9'.repeat(40), 1],
  ])('%s and %s compare as %d', (left, right, expected) => {
    expect(compareResourceVersions(left, right)).toBe(expected)
  })

  test.each([
    [''],
    ['0'],
    ['01'],
    ['-1'],
    ['+1'],
    ['1.0'],
    ['1e3'],
    [' 1'],
    ['abc'],
    ['0x1'],
    ['\u0661'],
    ['1\n'],
  ])('%o is not comparable, on either side', (version) => {
    expect(compareResourceVersions(version, '5')).toBeUndefined()
    expect(compareResourceVersions('5', version)).toBeUndefined()
  })

  test('orders as integers do, of any length', () => {
    const version = fc.bigInt({ min: 1n, max: 10n ** 40n })
    fc.assert(
      fc.property(version, version, (left, right) => {
        const expected = left < right ? -1 : left > right ? 1 : 0
        expect(compareResourceVersions(String(left), String(right))).toBe(expected)
      }),
    )
  })
})
