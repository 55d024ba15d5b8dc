import type { Issue } from './source.js'

type TokenKind =
  | 'identifier'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'keyword'
  | 'symbol'
  | 'end'

/** The smallest piece of a program, as it is written. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly offset: number
}

const space = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y
const number =
  /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|(0x[0-9a-fA-F]+|[0-9]+)([uU])?/y
const symbol = /==|!=|<=|>=|&&|\|\||[[\]{}().,\-!?:+*/%<>]/y

const escape = '\\\\(?:[abfnrtv"\'\\\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})'
const tripleBody = `(?:${escape}|[^\\\\])*?`
const quoted = new RegExp(
  [
    `[rR]"""[\\s\\S]*?"""`,
    `[rR]'''[\\s\\S]*?'''`,
    `[rR]"[^"\\n\\r]*"`,
    `[rR]'[^'\\n\\r]*'`,
    `"""${tripleBody}"""`,
    `'''${tripleBody}'''`,
    `"(?:${escape}|[^\\\\"\\n\\r])*"`,
    `'(?:${escape}|[^\\\\'\\n\\r])*'`,
  ]
    .map((alternative) => `(?:[bB]?${alternative})`)
    .join('|'),
  'y',
)

const keywords = new Set(['in', 'true', 'false', 'null'])

/** The tokens of a program, an `end` token last. Text that is no token is skipped and reported. */
export function tokenize(source: string, issues: Issue[]): Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  for (;;) {
    at += take(space)?.[0].length ?? 0
    if (at >= source.length) break
    const token = nextToken(take, at)
    if (token !== undefined) tokens.push(token)
    const { length } = token?.text ?? unrecognized(source, at)
    if (token === undefined) issues.push(recognitionError(at, source.slice(at, at + length)))
    at += length
  }
  // Where the text ends is where something is missing.
  tokens.push({ kind: 'end', text: '<EOF>', offset: source.length })
  return tokens
}

function nextToken(take: (pattern: RegExp) => RegExpExecArray | null, offset: number): Token | undefined {
  const text = take(quoted)?.[0]
  if (text !== undefined) return { kind: /^[bB]/.test(text) ? 'bytes' : 'string', text, offset }
  const name = take(identifier)?.[0]
  if (name !== undefined) return { kind: keywords.has(name) ? 'keyword' : 'identifier', text: name, offset }
  const numeral = take(number)
  if (numeral !== null) {
    const [digits, whole, unsigned] = numeral
    const kind = whole === undefined ? 'float' : unsigned === undefined ? 'int' : 'uint'
    return { kind, text: digits, offset }
  }
  const mark = take(symbol)?.[0]
  if (mark !== undefined) return { kind: 'symbol', text: mark, offset }
  const escaped = take(escapedIdentifier)?.[0]
  return escaped === undefined ? undefined : { kind: 'escaped', text: escaped, offset }
}

/** How far the text is the beginning of a string, and one character further: there it stops to be one. */
const brokenString = new RegExp(
  `(?:"(?:${escape}|[^\\\\"\\n\\r])*|'(?:${escape}|[^\\\\'\\n\\r])*)(?:\\\\[\\s\\S]?|[\\s\\S])?`,
  'y',
)

function unrecognized(source: string, at: number): string {
  brokenString.lastIndex = at
  return brokenString.exec(source)?.[0] ?? String.fromCodePoint(source.codePointAt(at) ?? 0)
}

function recognitionError(offset: number, text: string): Issue {
  const shown = text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return { offset, message: `Syntax error: token recognition error at: '${shown}'` }
}
