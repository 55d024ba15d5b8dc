import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../base/index.js'
import { parseJsonSource } from './json-source.js'

describe('parseJsonSource', () => {
  test('reads what the exact parser reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJsonSource(text).value).toEqual(parseJson(text))
      }),
    )
  })

  test('the careful reading, which a repeated key brings about, reads the same', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { value } = parseJsonSource(`{"a":1,"a":${text}}`)
        expect(value).toEqual({ a: parseJson(text) })
      }),
    )
  })

  test('remembers repeated keys with the order of the text', () => {
    const { value, repeatedKeys } = parseJsonSource('{"x":{"b":1,"a":2,"b":3},"y":[{"c":1}]}')
    expect(value).toEqual({ x: { b: 3, a: 2 }, y: [{ c: 1 }] })
    expect([...repeatedKeys.values()]).toEqual([['b', 'a', 'b']])
  })

  test('a key that stands in a string is not repeated', () => {
    expect(parseJsonSource(String.raw`{"a":"\"a\":1,\"a\":2"}`).repeatedKeys.size).toBe(0)
  })

  test('remembers how odd numbers are written', () => {
    const { value, literals } = parseJsonSource('{"a":1.0,"b":[1e2,3],"c":2,"d":-1.5}')
    expect(value).toEqual({ a: 1, b: [100, 3], c: 2, d: -1.5 })
    expect([...literals.values()].map((each) => [...each])).toEqual([
      [
        ['a', '1.0'],
        ['d', '-1.5'],
      ],
      [['0', '1e2']],
    ])
  })

  test('keys that are dangerous in JavaScript stay data', () => {
    const { value } = parseJsonSource('{"__proto__":{"x":1},"constructor":1.5}')
    expect(Object.keys(Object(value))).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('half of a surrogate pair becomes the replacement character, as in Go', () => {
    expect(parseJsonSource(String.raw`{"a":"\ud800x","b":"\ud83d\ude00"}`).value).toEqual({
      a: '\ufffdx',
      b: '\u{1f600}',
    })
  })

  test('10,000 levels are read, one more is refused, and so are a million', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(() => parseJsonSource(nested(10_000))).not.toThrow()
    expect(() => parseJsonSource(nested(10_001))).toThrow('exceeded max depth')
    expect(() => parseJsonSource('['.repeat(1_000_000))).toThrow('exceeded max depth')
  })

  test('a number beyond a double is refused', () => {
    expect(() => parseJsonSource('{"a":1e400}')).toThrow(
      'json: cannot unmarshal number 1e400 into Go value of type float64',
    )
  })
})
