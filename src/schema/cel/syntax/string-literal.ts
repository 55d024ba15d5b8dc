const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
}

interface Body {
  readonly raw: boolean
  readonly text: string
}

function bodyOf(literal: string): Body {
  const raw = /^[rR]/.test(literal)
  const quoted = (raw ? literal.slice(1) : literal).replace(/\r\n?/g, '\n')
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1
  return { raw, text: quoted.slice(width, -width) }
}

/** The text between the quotes of a string literal, or what is wrong with it. */
export function stringOfLiteral(literal: string): { value: string } | { problem: string } {
  const { raw, text } = bodyOf(literal)
  if (raw || !text.includes('\\')) return { value: text }
  let value = ''
  for (const piece of escapedPieces(text)) {
    if (typeof piece === 'string') value += piece
    else if (piece.code > 0x10ffff || (piece.code >= 0xd800 && piece.code <= 0xdfff))
      return { problem: 'invalid unicode code point' }
    else value += String.fromCodePoint(piece.code)
  }
  return { value }
}

/** The bytes of a bytes literal (without its `b`): `\x` and octal escapes are bytes, other text is UTF-8. */
export function bytesOfLiteral(literal: string): { value: Uint8Array } | { problem: string } {
  const { raw, text } = bodyOf(literal)
  if (raw) return { value: Buffer.from(text, 'utf8') }
  const parts: Uint8Array[] = []
  for (const piece of escapedPieces(text)) {
    if (typeof piece === 'string') parts.push(Buffer.from(piece, 'utf8'))
    else if (piece.unicode) return { problem: 'unable to unescape string' }
    else parts.push(Uint8Array.of(piece.code & 0xff))
  }
  return { value: Buffer.concat(parts) }
}

interface Escape {
  readonly code: number
  readonly unicode: boolean
}

const piece =
  /\\(?:([xX])([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))|[^\\]+/g

function* escapedPieces(text: string): Generator<string | Escape> {
  for (const [all, , hex, short, long, octal, named] of text.matchAll(piece)) {
    const unicode = short ?? long
    if (hex !== undefined) yield { code: Number.parseInt(hex, 16), unicode: false }
    else if (unicode !== undefined) yield { code: Number.parseInt(unicode, 16), unicode: true }
    else if (octal !== undefined) yield { code: Number.parseInt(octal, 8), unicode: false }
    else if (named !== undefined) yield { code: simpleEscapes[named] ?? 0, unicode: false }
    else yield all
  }
}
