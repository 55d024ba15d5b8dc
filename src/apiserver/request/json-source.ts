import { parseJson, setOwn } from '../../base/index.js'
import { GoDecodeError } from './go-decode-error.js'
import { jsonSyntaxProblem } from './go-json-syntax.js'

/** A parsed JSON text, and what a parser forgets about it but decoding errors name. */
export interface JsonSource {
  readonly value: unknown
  /** Objects in which a key is repeated, with all their keys in the order of the text. */
  readonly repeatedKeys: ReadonlyMap<object, readonly string[]>
  /** Their values but for the last, which alone is in the object. */
  readonly earlierValues: ReadonlyMap<object, ReadonlyMap<string, readonly unknown[]>>
  /** Numbers that are not written as plain integers (`1.0`, `1e3`), by the container and key (or index) they stand at. */
  readonly literals: ReadonlyMap<object, ReadonlyMap<string, string>>
}

/** The limit of the real server, and of whoever walks the value. */
const maxDepth = 10_000

const nothing: ReadonlyMap<object, never> = new Map<object, never>()

/** Plain data as a source: nothing is repeated in it, and every number is written as it is. */
export function sourceOf(value: unknown): JsonSource {
  return { value, repeatedKeys: nothing, earlierValues: nothing, literals: nothing }
}

/**
 * Parses the text of a body. Integers beyond 2^53 are bigints. Throws {@link GoDecodeError} with Go's words for a text
 * that is not JSON, or is nested deeper than 10,000 levels.
 */
export function parseJsonSource(text: string): JsonSource {
  const survey = surveyOf(text)
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw new GoDecodeError(jsonSyntaxProblem(text) ?? 'a number in it does not fit a double')
  }
  // Nearly all bodies end here: the careful reading is for those that say something twice or in an odd way.
  if (!survey.hasFraction && !survey.hasEscapedSurrogate && countKeys(value) === survey.keys)
    return sourceOf(value)
  return readCarefully(text)
}

interface Survey {
  readonly keys: number
  readonly hasFraction: boolean
  readonly hasEscapedSurrogate: boolean
}

/** One fast pass over a text that need not be JSON. Throws {@link GoDecodeError} for one that is nested too deep. */
function surveyOf(text: string): Survey {
  let keys = 0
  let depth = 0
  let hasFraction = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at)
        break
      case 0x3a: // :
        keys++
        break
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > maxDepth) throw new GoDecodeError(`invalid character '${text[at]}' exceeded max depth`)
        break
      case 0x7d: // }
      case 0x5d: // ]
        depth--
        break
      case 0x2e: // .
      case 0x45: // E
        hasFraction = true
        break
      case 0x65: // e, of a number: true and false have one as well
        if (isDigit(text.charCodeAt(at - 1))) hasFraction = true
        break
    }
  }
  const hasEscapedSurrogate = text.includes('\\ud') || text.includes('\\uD')
  return { keys, hasFraction, hasEscapedSurrogate }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The position of the quote that ends the string that begins at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function countKeys(root: unknown): number {
  let count = 0
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) open.push(item)
    } else if (typeof value === 'object' && value !== null) {
      const members = Object.values(value)
      count += members.length
      for (const member of members) if (typeof member === 'object' && member !== null) open.push(member)
    }
  }
  return count
}

interface Frame {
  readonly container: unknown[] | Record<string, unknown>
  readonly keys: string[]
  key: string
}

const numberPattern = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Reads a text that is known to be JSON once more, and remembers. */
function readCarefully(text: string): JsonSource {
  const repeatedKeys = new Map<object, readonly string[]>()
  const earlierValues = new Map<object, Map<string, unknown[]>>()
  const literals = new Map<object, Map<string, string>>()
  const frames: Frame[] = []
  let root: unknown
  let at = 0

  const place = (value: unknown, literal: string | undefined): void => {
    const frame = frames.at(-1)
    if (frame === undefined) {
      root = value
      return
    }
    const { container } = frame
    const key = Array.isArray(container) ? String(container.length) : frame.key
    if (literal !== undefined) {
      const known = literals.get(container) ?? new Map<string, string>()
      literals.set(container, known.set(key, literal))
    } else literals.get(container)?.delete(key)
    if (Array.isArray(container)) {
      container.push(value)
      return
    }
    if (Object.hasOwn(container, key)) {
      const known = earlierValues.get(container) ?? new Map<string, unknown[]>()
      earlierValues.set(container, known.set(key, [...(known.get(key) ?? []), container[key]]))
    }
    setOwn(container, key, value)
  }
  const open = (container: Frame['container']): void => {
    place(container, undefined)
    frames.push({ container, keys: [], key: '' })
  }
  const close = (): void => {
    const frame = frames.pop()
    if (frame === undefined || Array.isArray(frame.container)) return
    if (frame.keys.length > Object.keys(frame.container).length) repeatedKeys.set(frame.container, frame.keys)
  }
  const takeString = (): void => {
    const end = endOfString(text, at)
    const value = wellFormed(JSON.parse(text.slice(at, end + 1)) as string) // Between quotes is a string.
    at = end + 1
    const frame = frames.at(-1)
    while (isSpace(text.charCodeAt(at))) at++
    if (text[at] === ':' && frame !== undefined) {
      frame.key = value
      frame.keys.push(value)
    } else place(value, undefined)
  }

  while (at < text.length) {
    const character = text[at]
    if (character === '"') takeString()
    else if (character === '{') {
      open({})
      at++
    } else if (character === '[') {
      open([])
      at++
    } else if (character === '}' || character === ']') {
      close()
      at++
    } else if (character === 't' || character === 'f' || character === 'n') {
      place(character === 't' ? true : character === 'f' ? false : null, undefined)
      at += character === 'f' ? 5 : 4
    } else if (character === '-' || isDigit(text.charCodeAt(at))) {
      numberPattern.lastIndex = at
      const literal = numberPattern.exec(text)?.[0] ?? '0'
      at = numberPattern.lastIndex
      place(numberOf(literal), /^-?\d+$/.test(literal) ? undefined : literal)
    } else at++
  }
  return { value: root, repeatedKeys, earlierValues, literals }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}

function numberOf(literal: string): number | bigint {
  const value = Number(literal)
  if (!Number.isFinite(value))
    throw new GoDecodeError(`json: cannot unmarshal number ${literal} into Go value of type float64`)
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(literal) ? BigInt(literal) : value
}

/** Go reads the replacement character where an escape is half of a pair. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}
