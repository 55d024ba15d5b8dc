import { trimCharacter } from '../trim.js'

/** One step of a path. Each is applied to all values that the steps before it have found. */
export type PathStep =
  | { readonly step: 'field'; readonly name: string }
  | {
      readonly step: 'slice'
      readonly start: number | undefined
      readonly end: SliceEnd
      readonly by: number | undefined
    }
  | { readonly step: 'filter'; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  | { readonly step: 'wildcard' }
  | { readonly step: 'recursive' }
  | { readonly step: 'union'; readonly paths: readonly JsonPath[] }
  /** A constant, which stands for itself whatever was found before. */
  | { readonly step: 'value'; readonly value: string | number | boolean; readonly isInteger: boolean }

/** `after-start` is the end of a single index. */
type SliceEnd = number | 'after-start' | 'length'

export type JsonPath = readonly PathStep[]

/** The path is none that the server could follow. It is not refused: its column is left out. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError'
}

/** Reads a path as it stands between braces: `.spec.ports[?(@.name=="http")].port`. Throws {@link JsonPathError}. */
export function parseJsonPath(text: string): JsonPath {
  return new PathParser(text).parse()
}

const dictionaryKey = /^'([^']*)'$/
const sliceText = /^(-?[\d]*)(:-?[\d]*)?(:-?[\d]*)?$/
const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/s
const isTerminator = (character: string): boolean => character === '' || /[ \t\r\n.,[\]$@{}]/.test(character)
const isWord = (character: string): boolean => /[\p{L}\p{Nd}_]/u.test(character)

class PathParser {
  readonly #text: string
  readonly #steps: PathStep[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): JsonPath {
    while (this.#at < this.#text.length) this.#step()
    return this.#steps
  }

  #rest(): string {
    return this.#text.slice(this.#at)
  }

  #step(): void {
    if (this.#rest().startsWith('[?(')) return this.#filter()
    if (this.#rest().startsWith('..')) return this.#recursive()
    const character = this.#text.charAt(this.#at)
    // The path stands between braces: one of its own ends it, and what follows is another one.
    if (character === '}') this.#at = this.#text.length
    else if (/[ @$]/.test(character)) this.#at++
    else if (character === '[') this.#brackets()
    else if (character === '.') {
      this.#at++
      this.#field()
    } else if (character === '"' || character === "'") this.#quoted(character)
    else if (/[-+\d]/.test(character)) this.#number()
    else if (isWord(character)) this.#word()
    else throw new JsonPathError(`unrecognized character in action: ${character}`)
  }

  #field(): void {
    let name = ''
    for (;;) {
      const character = this.#text.charAt(this.#at)
      if (character === '\\') {
        name += this.#text.charAt(this.#at + 1)
        this.#at += 2
        continue
      }
      if (isTerminator(character)) break
      name += character
      this.#at++
    }
    this.#steps.push(name === '*' ? { step: 'wildcard' } : { step: 'field', name })
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.step === 'recursive')
      throw new JsonPathError('invalid multiple recursive descent')
    this.#at += 2
    this.#steps.push({ step: 'recursive' })
    if (isWord(this.#text.charAt(this.#at))) this.#field()
  }

  #word(): void {
    const word = /^[^ \t\r\n.,[\]$@{}]*/.exec(this.#rest())?.[0] ?? ''
    // Loops make no sense in a path.
    if (word !== 'true' && word !== 'false') throw new JsonPathError(`unrecognized identifier ${word}`)
    this.#at += word.length
    this.#steps.push({ step: 'value', value: word === 'true', isInteger: false })
  }

  #number(): void {
    const digits = /^[-+]?[.\d]*/.exec(this.#rest())?.[0] ?? ''
    this.#at += digits.length
    if (!/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(digits)) throw new JsonPathError(`cannot parse number ${digits}`)
    this.#steps.push({ step: 'value', value: Number(digits), isInteger: !digits.includes('.') })
  }

  #quoted(quote: string): void {
    let end = this.#at + 1
    while (this.#text.charAt(end) !== quote || this.#text.charAt(end - 1) === '\\') {
      if (end >= this.#text.length) throw new JsonPathError('unterminated quoted string')
      end++
    }
    const value = this.#text
      .slice(this.#at + 1, end)
      .replace(/\\(.)/gs, (_, escaped: string) => unescape(escaped))
    this.#at = end + 1
    this.#steps.push({ step: 'value', value, isInteger: false })
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#at)
    if (end === -1) throw new JsonPathError('unterminated array')
    const content = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    this.#steps.push(...bracketSteps(content === '*' ? ':' : content))
  }

  #filter(): void {
    const start = this.#at + 3
    let quote = ''
    let isClosed = false
    let end = start
    for (; ; end++) {
      const character = this.#text.charAt(end)
      if (character === '' || character === '\n') throw new JsonPathError('unterminated filter')
      if (character === '"' || character === "'") {
        if (quote === '') quote = character
        else if (character === quote && this.#text.charAt(end - 1) !== '\\') isClosed = true
      } else if (character === ')' && (quote !== '') === isClosed) break
    }
    if (this.#text.charAt(end + 1) !== ']') throw new JsonPathError('unclosed array expect ]')
    const [, left, operator, right] = comparison.exec(this.#text.slice(start, end)) ?? []
    this.#at = end + 2
    if (left === undefined || operator === undefined || right === undefined) {
      this.#steps.push({
        step: 'filter',
        left: parseJsonPath(this.#text.slice(start, end)),
        operator: 'exists',
        right: [],
      })
    } else {
      this.#steps.push({
        step: 'filter',
        left: parseJsonPath(left),
        operator,
        right: parseJsonPath(right),
      })
    }
  }
}

function bracketSteps(content: string): readonly PathStep[] {
  const parts = content.split(',')
  if (parts.length > 1)
    return [{ step: 'union', paths: parts.map((part) => parseJsonPath(`[${trimCharacter(part, ' ')}]`)) }]
  const key = dictionaryKey.exec(content)?.[1]
  if (key !== undefined) return parseJsonPath(`.${key}`)
  const [match, start = '', end, by] = sliceText.exec(content) ?? []
  if (match === undefined) throw new JsonPathError(`invalid array index ${content}`)
  return [{ step: 'slice', start: integer(start), end: sliceEnd(end), by: integer(by?.slice(1) ?? '') }]
}

function integer(text: string): number | undefined {
  if (text === '') return undefined
  if (text === '-') throw new JsonPathError(`array index ${text} is not a number`)
  return Number(text)
}

function sliceEnd(text: string | undefined): SliceEnd {
  return text === undefined ? 'after-start' : (integer(text.slice(1)) ?? 'length')
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

function unescape(character: string): string {
  return Object.hasOwn(escapes, character) ? (escapes[character] ?? character) : character
}
