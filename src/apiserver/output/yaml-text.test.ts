import { expect, test } from 'vitest'
import { valueContent } from './content.js'
import { toYaml } from './yaml-text.js'

const written = (value: unknown): string =>
  String(toYaml(valueContent({ apiVersion: 'v1', kind: 'X', z: value }))).slice(
    'apiVersion: v1\nkind: X\nz:'.length,
  )

// As the real server wrote them.
test.each([
  ['yes', ' "yes"'],
  ['', ' ""'],
  ['nan', ' nan'],
  ['1_000', ' "1_000"'],
  ['1e999', ' 1e999'],
  ['1:30', ' "1:30"'],
  ['2024-01-02', ' "2024-01-02"'],
  ['2024-13-02', ' 2024-13-02'],
  ['2024-01-02 03:04:05', ' "2024-01-02 03:04:05"'],
  ['a: b', " 'a: b'"],
  ['a:b', ' a:b'],
  ['a #b', " 'a #b'"],
  ["it's", " it's"],
  ["'", " ''''"],
  ['a\tb', ' "a\\tb"'],
  ['\u{1F600}', ' "\\U0001F600"'],
  ['ä', ' ä'],
  [0.5, ' 0.5'],
  [1.5e21, ' 1.5e+21'],
  [1e-7, ' 1e-07'],
  [1_234_567.5, ' 1.2345675e+06'],
  [9_007_199_254_740_993n, ' 9007199254740993'],
  [null, ' null'],
  [{}, ' {}'],
  [[], ' []'],
  ['a\nb', ' |-\n  a\n  b'],
  ['a\n', ' |\n  a'],
  [' a\nb', ' |2-\n   a\n  b'],
  ['a \nb', ' "a \\nb"'],
  [[[1, [2]], { a: [{ b: 1, c: [] }] }], '\n- - 1\n  - - 2\n- a:\n  - b: 1\n    c: []'],
  [{ b10: 1, b9: 1, _: 1, B: 1 }, '\n  _: 1\n  B: 1\n  b9: 1\n  b10: 1'],
])('%o is written as %o', (value, expected) => {
  expect(written(value)).toBe(`${expected}\n`)
})

test('a long line goes on in the next one, from a space on', () => {
  const long = `${'word '.repeat(20)}end`
  expect(written(long)).toBe(` ${'word '.repeat(15)}word\n  ${'word '.repeat(4)}end\n`)
})
