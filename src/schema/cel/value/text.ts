import { isPrintable } from '../../../base/index.js'

/** How many characters (code points) a string has: what CEL's `size()` counts. */
export function characterCount(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    // The second half of a pair adds a unit but no character.
    if (unit >= 0xdc00 && unit <= 0xdfff && index > 0) {
      const previous = text.charCodeAt(index - 1)
      if (previous >= 0xd800 && previous <= 0xdbff) count--
    }
  }
  return count
}

/** The characters of a string: positions in CEL count characters, those of JavaScript UTF-16 units. */
export function characters(text: string): string[] {
  return Array.from(text)
}

/** Length in UTF-8, the unit of the server's limits. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** The order of the UTF-8 bytes. JavaScript's own order differs where surrogate pairs meet U+E000 and above. */
export function compareText(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    let a = left.charCodeAt(index)
    let b = right.charCodeAt(index)
    if (a === b) continue
    // Moves surrogates above the rest of the plane, which is where their code points belong.
    if (a >= 0xd800) a = a >= 0xe000 ? a - 0x800 : a + 0x2000
    if (b >= 0xd800) b = b >= 0xe000 ? b - 0x800 : b + 0x2000
    return a < b ? -1 : 1
  }
  return left.length < right.length ? -1 : 1
}

const namedEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

/** A string in double quotes as the server's messages have it: control and unprintable characters escaped. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const character of text) {
    quoted += namedEscapes[character] ?? (isPrintable(character) ? character : escapeUnprintable(character))
  }
  return `${quoted}"`
}

function escapeUnprintable(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u

/** Without white space at the ends. JavaScript's `trim` also takes the byte order mark and leaves U+0085. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && space.test(text.charAt(start))) start++
  while (end > start && space.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
