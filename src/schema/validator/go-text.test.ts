import { expect, test } from 'vitest'
import { NestingTooDeepError } from './depth.js'
import { goFloat, goJson, goNumber, goPrint, goQuote, goTypeName } from './go-text.js'

test.each([
  ['plain', '"plain"'],
  ['say "hi" \\', '"say \\"hi\\" \\\\"'],
  ['a\nb\t\u0007\u0001\u007f', '"a\\nb\\t\\a\\x01\\x7f"'],
  ['Ünïcödé 🦓', '"Ünïcödé 🦓"'],
  ['\u200b\u00a0\u{e0001}', '"\\u200b\\u00a0\\U000e0001"'],
  ['\ud800', '"\ufffd"'],
])('a string is quoted as Go does: %j', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted)
})

test.each([
  [0, '0'],
  [4.5, '4.5'],
  [123_456, '123456'],
  [1_000_000, '1e+06'],
  [1_234_567.5, '1.2345675e+06'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1e21, '1e+21'],
  [-2.5e-7, '-2.5e-07'],
])('a float is printed as Go does: %d', (value, text) => {
  expect(goFloat(value)).toBe(text)
})

test('integers are printed whole, whatever their size', () => {
  expect(goNumber(1_000_000)).toBe('1000000')
  expect(goNumber(9_007_199_254_740_993n)).toBe('9007199254740993')
  // Beyond 64 bits Go reads a float.
  expect(goNumber(10n ** 20n)).toBe('1e+20')
})

test('JSON has sorted keys, and HTML in it is escaped', () => {
  expect(goJson({ b: '<&>\u2028', a: [1, 1.5, null, true, 2n ** 60n], ü: undefined })).toBe(
    '{"a":[1,1.5,null,true,1152921504606846976],"b":"\\u003c\\u0026\\u003e\\u2028"}',
  )
})

test('values and types are printed as Go does', () => {
  expect(goPrint({ b: 'x', a: [1, 1e6 + 0.5, null] })).toBe('map[a:[1 1.0000005e+06 <nil>] b:x]')
  expect([null, 1, 1.5, 'x', true, [], {}].map(goTypeName)).toEqual([
    '<nil>',
    'int64',
    'float64',
    'string',
    'bool',
    '[]interface {}',
    'map[string]interface {}',
  ])
})

test('data that is nested without end is refused, not walked', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 5_000; depth++) deep = [deep]
  expect(() => goJson(deep)).toThrow(NestingTooDeepError)
})
