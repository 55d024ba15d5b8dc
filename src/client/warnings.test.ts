import { expect, test } from 'vitest'
import { createWarningReader, type ServerWarning } from './warnings.js'

function read(...headers: (string | readonly string[] | undefined)[]): ServerWarning[] {
  const warnings: ServerWarning[] = []
  const reader = createWarningReader((warning) => warnings.push(warning))
  for (const header of headers) reader.read(header, 'create foos')
  return warnings
}

const texts = (warnings: readonly ServerWarning[]): string[] => warnings.map((warning) => warning.text)

test('a warning is told with the request that brought it', () => {
  expect(read('299 - "v1beta1 is deprecated"')).toEqual([
    { text: 'v1beta1 is deprecated', request: 'create foos' },
  ])
})

test('each text is told once', () => {
  expect(texts(read('299 - "a"', '299 - "a"', ['299 - "b"', '299 - "a"']))).toEqual(['a', 'b'])
})

test('several in one header are told apart, commas and quotes in them included', () => {
  expect(texts(read('299 - "a, \\"b\\"", 299 kube "c" "Sun, 15 Nov 2026 12:00:00 GMT", 299 - "d"'))).toEqual([
    'a, "b"',
    'c',
    'd',
  ])
})

test('other codes, empty texts and nonsense are not told', () => {
  expect(read('199 - "x"', '299 - ""', 'nonsense', undefined, '299 - "unfinished')).toEqual([])
})

test('control characters are shown, not sent to the terminal', () => {
  const [warning] = read('299 - "a\u001b[31mred\nnext"')
  expect(warning?.text).not.toContain('\u001b')
  expect(warning?.text).not.toContain('\n')
  expect(warning?.text).toContain('red')
})

test('a text without end is cut', () => {
  expect(read(`299 - "${'x'.repeat(100_000)}"`)[0]?.text.length).toBeLessThan(2_000)
})

test('a server that never repeats itself does not fill the memory', () => {
  const warnings = read(...Array.from({ length: 5_000 }, (_, index) => `299 - "text ${index}"`))
  expect(warnings).toHaveLength(5_000)
})
