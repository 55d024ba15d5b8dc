import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlainPattern, requirePatternCompiler } from './check-patterns.js'

const compile = requirePatternCompiler()

test.each([
  '^[a-z]([-a-z0-9]*[a-z0-9])?$',
  '^(echo).*',
  '\\d{1,3}(?:\\.\\d{1,3}){3}',
  'a+?b*?c??',
  '^[^\\]\\\\]+$',
  '[\\w.+-]+@[\\w-]+',
])('%s needs no engine to be known', (pattern) => {
  expect(isPlainPattern(pattern)).toBe(true)
})

test.each([
  '(?=a)',
  '(?<!a)b',
  '(a)\\1',
  'a++',
  'a**',
  'x{1,1001}',
  '\\u0041',
  '(?i)a',
  '\\p{L}',
  '(a',
  'a)',
  '[z-a]',
  '*a',
])('%s is left to the engine', (pattern) => {
  expect(isPlainPattern(pattern)).toBe(false)
})

test('what is taken for a pattern without asking, the engine takes too', () => {
  const parts = [
    'a',
    '-',
    '.',
    '^',
    '$',
    '|',
    '(',
    '(?:',
    ')',
    '[',
    ']',
    '[^',
    '{',
    '}',
    '{2}',
    '{1,3}',
    '{3,1}',
    '{,2}',
  ]
  const more = [
    '*',
    '+',
    '?',
    '??',
    '\\',
    '\\d',
    '\\w',
    '\\b',
    '\\.',
    '\\/',
    ',',
    '0',
    '&',
    '[a-z]',
    '(?=',
    '(?i)',
    '\\1',
  ]
  const patterns = fc.array(fc.constantFrom(...parts, ...more), { maxLength: 8 }).map((list) => list.join(''))
  fc.assert(
    fc.property(patterns, (pattern) => {
      fc.pre(isPlainPattern(pattern))
      expect(compile?.(pattern)).toBeDefined()
    }),
    { numRuns: 2_000, maxSkipsPerRun: 1_000 },
  )
})
