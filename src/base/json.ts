import { setOwn } from './deep.js'
import { KubewrightError } from './errors.js'
import { assertFinite, JsonValueError, writeExactly } from './json-writer.js'

/** The text is not JSON, or holds what no JSON of Kubernetes may hold. */
export class JsonSyntaxError extends KubewrightError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'KW_JSON_SYNTAX', cause })
  }
}

/** kube-apiserver's own limit: deeper data is refused by every server, so it is not sent to one. */
const maxDepth = 10_000

/**
 * Parses JSON without changing what it says: an integer beyond 2^53 becomes a `bigint` (a `number` would silently
 * round it), and `__proto__` stays an ordinary key. What could not be written again, a number beyond a double or data
 * deeper than 10,000 levels, is refused by {@link stringifyJson}. Throws only {@link JsonSyntaxError}.
 */
export function parseJson(text: string): unknown {
  if (mayHoldLongInteger(text)) return parseStrictly(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new JsonSyntaxError(`Not valid JSON: ${messageOf(error)}.`, error)
  }
}

/** An integer beyond 2^53 has 16 digits or more. */
const longIntegerDigits = 16

/**
 * Looks at every sixteenth character only: a run of sixteen digits cannot hide between two of them. Digits in strings
 * count too, which sends a text to the slow parser for nothing, but never past it.
 */
function mayHoldLongInteger(text: string): boolean {
  for (let at = longIntegerDigits - 1; at < text.length; at += longIntegerDigits) {
    if (!isDigit(text.charCodeAt(at))) continue
    let start = at
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (end < text.length && isDigit(text.charCodeAt(end))) end++
    if (end - start >= longIntegerDigits) return true
    at = Math.max(at, end - longIntegerDigits)
  }
  return false
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The reverse of {@link parseJson}: `bigint` is written as a plain integer. `undefined` is written as `null`. */
export function stringifyJson(value: unknown): string {
  // Programs that teach BigInt to write itself as a string would turn a number of the cluster into a string.
  if (!('toJSON' in BigInt.prototype)) {
    try {
      const text = JSON.stringify(value) ?? 'null'
      // JSON.stringify writes null for what is no number.
      if (text.includes('null')) assertFinite(value)
      return text
    } catch (error) {
      if (error instanceof JsonValueError) throw error
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
