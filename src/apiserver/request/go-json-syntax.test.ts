import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonSyntaxProblem } from './go-json-syntax.js'

// What kube-apiserver 1.36 answered for these bodies.
test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['hello', "invalid character 'h' looking for beginning of value"],
  ['{"a":1}x', "invalid character 'x' after top-level value"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
  ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['{"a":"\\u12x"}', "invalid character 'x' in \\u hexadecimal character escape"],
  ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['{"a":-}', "invalid character '}' in numeric literal"],
  ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a":[1 2]}', "invalid character '2' after array element"],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ['"abc', 'unexpected end of JSON input'],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ["'", "invalid character '\\'' looking for beginning of value"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
])('%j: %s', (text, problem) => {
  expect(jsonSyntaxProblem(text)).toBe(problem)
})

test('finds a problem exactly where JSON.parse does', () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', ':', '1', 'e', '\\', ' ', 'n'))
    .map(([text, at, inserted]) => {
      const position = at % (text.length + 1)
      return text.slice(0, position) + inserted + text.slice(position + 1)
    })
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(damaged, (text) => {
      expect(jsonSyntaxProblem(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: 1000 },
  )
})
