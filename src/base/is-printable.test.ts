import { expect, test } from 'vitest'
import { isPrintable } from './is-printable.js'

test('every ASCII character is judged as its class says', () => {
  for (let code = 0; code < 0x80; code++) {
    const character = String.fromCodePoint(code)
    expect(isPrintable(character), `U+${code.toString(16)}`).toBe(
      /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character),
    )
  }
})

test.each(['ä', '\u0301', '٣', '—', '€', '𝛀', '😀'])('%s can be seen', (character) => {
  expect(isPrintable(character)).toBe(true)
})

test.each([
  ['a no-break space', '\u00a0'],
  ['a soft hyphen', '\u00ad'],
  ['a line separator', '\u2028'],
  ['a mark of direction', '\u202e'],
  ['half a character', '\ud800'],
  ['nothing at all', ''],
])('%s cannot', (_what, character) => {
  expect(isPrintable(character)).toBe(false)
})
