import { expect, test } from 'vitest'
import { printable } from './printable.js'

test('what would move a cursor or start a line becomes visible; all else stays', () => {
  expect(printable('kind-dev ä 😀')).toBe('kind-dev ä 😀')
  expect(printable('a\u001b[2Jb\nc\r\u2028\u202e')).toBe('aU+001B[2JbU+000AcU+000DU+2028U+202E')
})
