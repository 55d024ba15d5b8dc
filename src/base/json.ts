import { setOwn } from './deep.js'
import { KubewrightError } from './errors.js'
import { writeExactly } from './json-writer.js'

/** The text is not JSON, or holds what no JSON of Kubernetes may hold. */
export class JsonSyntaxError extends KubewrightError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'KW_JSON_SYNTAX', cause })
  }
}

/** kube-apiserver's own limit. Deeper data would overflow the stack of every recursive visitor. */
const maxDepth = 10_000

// What JSON.parse would change silently: an integer of 16 digits or more may lie beyond 2^53, an exponent of three
// digits beyond a double. A number stands behind a structural character or space and ends before one, and asking for
// that keeps digests, UIDs and times out of the slow parser.
const suspicious = /(?:^|[:,[\s])-?(?:\d{16,}(?=[.eE\s,\]}]|$)|\d[\d.]*[eE][+-]?\d{3,}(?=[\s,\]}]|$))/

/**
 * Parses JSON without changing what it says: an integer beyond 2^53 becomes a `bigint` (a `number` would silently
 * round it), a number beyond a double is an error instead of Infinity, and `__proto__` stays an ordinary key.
 * Data nested deeper than 10,000 levels is refused. Throws only {@link JsonSyntaxError}.
 */
export function parseJson(text: string): unknown {
  if (suspicious.test(text)) return parseStrictly(text)
  if (isTooDeep(text)) throw tooDeepError()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new JsonSyntaxError(`Not valid JSON: ${messageOf(error)}.`, error)
  }
}

/** The reverse of {@link parseJson}: `bigint` is written as a plain integer. `undefined` is written as `null`. */
export function stringifyJson(value: unknown): string {
  // Programs that teach BigInt to write itself as a string would turn a number of the cluster into a string.
  if (!('toJSON' in BigInt.prototype)) {
    try {
      return JSON.stringify(value) ?? 'null'
    } catch {
      // A bigint, depth, a cycle, or a toJSON that throws: the exact writer can do the first two and names the others.
    }
  }
  return writeExactly(value, maxDepth)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function tooDeepError(): JsonSyntaxError {
  return new JsonSyntaxError(
    `JSON is nested deeper than ${maxDepth} levels; Kubernetes accepts no such data, so flatten it.`,
  )
}

function isTooDeep(text: string): boolean {
  // Each level costs an opening and a closing bracket, so nearly every text is exempt by its length alone.
  if (text.length <= 2 * maxDepth) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string
        at = endOfString(text, at)
        if (at === -1) return false
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return false
}

/** The position of the quote that ends the string that begins at `start`, or -1. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return -1
}

const numberPattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const spacePattern = /[ \t\n\r]*/y

interface Frame {
  readonly container: unknown[] | Record<string, unknown>
  key: string | undefined
}

/** The slow, exact parser. Iterative: the depth of the data is not the depth of the stack. */
function parseStrictly(text: string): unknown {
  let at = 0
  const frames: Frame[] = []

  const fail = (): never => {
    const found = at < text.length ? JSON.stringify(text[at]) : 'the end'
    throw new JsonSyntaxError(`Not valid JSON: unexpected ${found} at position ${at}.`)
  }
  const skipSpace = (): void => {
    spacePattern.lastIndex = at
    spacePattern.test(text)
    at = spacePattern.lastIndex
  }
  const expect = (character: string): void => {
    skipSpace()
    if (text[at] !== character) fail()
    at++
  }
  const takeString = (): string => {
    if (text[at] !== '"') fail()
    const end = endOfString(text, at)
    if (end === -1) throw new JsonSyntaxError(`Not valid JSON: the string at position ${at} has no end.`)
    try {
      // A text between quotes is a string to JSON.parse, or an error.
      const value = JSON.parse(text.slice(at, end + 1)) as string
      at = end + 1
      return value
    } catch (error) {
      throw new JsonSyntaxError(
        `Not valid JSON: the string at position ${at} holds a bad escape or a raw control character.`,
        error,
      )
    }
  }
  const takeNumber = (): number | bigint => {
    numberPattern.lastIndex = at
    const match = numberPattern.exec(text) ?? fail()
    at = numberPattern.lastIndex
    return exactNumber(match)
  }
  const takeKey = (): string => {
    skipSpace()
    const key = takeString()
    expect(':')
    return key
  }
  const open = (container: Frame['container'], closer: string): unknown => {
    if (frames.length >= maxDepth) throw tooDeepError()
    at++
    skipSpace()
    if (text[at] === closer) {
      at++
      return container
    }
    frames.push({ container, key: Array.isArray(container) ? undefined : takeKey() })
    return unfinished
  }
  const takeWord = (word: string, value: unknown): unknown => {
    if (!text.startsWith(word, at)) fail()
    at += word.length
    return value
  }
  const takeValue = (): unknown => {
    skipSpace()
    switch (text[at]) {
      case '{':
        return open({}, '}')
      case '[':
        return open([], ']')
      case '"':
        return takeString()
      case 't':
        return takeWord('true', true)
      case 'f':
        return takeWord('false', false)
      case 'n':
        return takeWord('null', null)
      default:
        return takeNumber()
    }
  }

  for (;;) {
    let value = takeValue()
    while (value !== unfinished) {
      const frame = frames.at(-1)
      if (frame === undefined) {
        skipSpace()
        if (at < text.length) fail()
        return value
      }
      const isArray = Array.isArray(frame.container)
      if (Array.isArray(frame.container)) frame.container.push(value)
      else setOwn(frame.container, frame.key ?? '', value)
      skipSpace()
      const separator = text[at]
      if (separator === ',') {
        at++
        if (!isArray) frame.key = takeKey()
        break
      }
      if (separator !== (isArray ? ']' : '}')) fail()
      at++
      frames.pop()
      value = frame.container
    }
  }
}

const unfinished = Symbol('unfinished')

function exactNumber([literal, fraction, exponent]: RegExpExecArray): number | bigint {
  const value = Number(literal)
  if (!Number.isFinite(value)) {
    throw new JsonSyntaxError(
      `The number ${literal.slice(0, 40)} does not fit a double; Kubernetes has no such value: write it as a string.`,
    )
  }
  if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(value)) return BigInt(literal)
  return value
}
