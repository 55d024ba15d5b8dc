import { setOwn } from './deep.js'
import { KubewrightError } from './errors.js'

/** The text is not JSON, or holds what no JSON of Kubernetes may hold. */
export class JsonSyntaxError extends KubewrightError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'KW_JSON_SYNTAX', cause })
  }
}

/** kube-apiserver's own limit. Deeper data would overflow the stack of every recursive visitor. */
const maxDepth = 10_000

// A run of 16 digits may be an integer beyond 2^53; an exponent of three digits may be beyond a double;
// a run of 1,000 opening brackets may be too deep. All three are so rare that the strict parser is off the hot path.
const suspicious = /\d{16}|[eE][+-]?\d{3}/

/**
 * Parses JSON without changing what it says: an integer beyond 2^53 becomes a `bigint` (a `number` would silently
 * round it), a number beyond a double is an error instead of Infinity, and `__proto__` stays an ordinary key.
 * Data nested deeper than 10,000 levels is refused.
 */
export function parseJson(text: string): unknown {
  if (suspicious.test(text) || tooDeep(text)) return parseStrictly(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new JsonSyntaxError(`Not valid JSON: ${messageOf(error)}.`, error)
  }
}

// Brackets inside strings count too, so this may say yes to harmless text: the strict parser then decides.
function tooDeep(text: string): boolean {
  let openings = 0
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1))
    if (++openings > maxDepth) return true
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1))
    if (++openings > maxDepth) return true
  return false
}

/** The reverse of {@link parseJson}: `bigint` is written as a plain integer. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    // JSON.stringify has no other complaint than a bigint, a cycle or depth; only the first has an answer.
    if (!(error instanceof TypeError) || !messageOf(error).includes('BigInt')) throw error
    return stringifyWithBigInts(value)
  }
}

function stringifyWithBigInts(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value))
    return `[${value.map((item) => (item === undefined ? 'null' : stringifyWithBigInts(item))).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    if ('toJSON' in value && typeof value.toJSON === 'function') return stringifyWithBigInts(value.toJSON())
    const members: string[] = []
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${stringifyWithBigInts(member)}`)
    }
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const numberPattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
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
  const take = (pattern: RegExp): RegExpExecArray => {
    pattern.lastIndex = at
    const match = pattern.exec(text) ?? fail()
    at = pattern.lastIndex
    return match
  }
  const expect = (character: string): void => {
    skipSpace()
    if (text[at] !== character) fail()
    at++
  }
  const takeKey = (): string => {
    skipSpace()
    const key = JSON.parse(take(stringPattern)[0]) as string
    expect(':')
    return key
  }
  const open = (container: Frame['container'], closer: string): unknown => {
    at++
    skipSpace()
    if (text[at] === closer) {
      at++
      return container
    }
    if (frames.length >= maxDepth) {
      throw new JsonSyntaxError(
        `JSON is nested deeper than ${maxDepth} levels; Kubernetes accepts no such data.`,
      )
    }
    frames.push({ container, key: Array.isArray(container) ? undefined : takeKey() })
    return unfinished
  }
  const takeValue = (): unknown => {
    skipSpace()
    switch (text[at]) {
      case '{':
        return open({}, '}')
      case '[':
        return open([], ']')
      case '"':
        return JSON.parse(take(stringPattern)[0])
      case 't':
        return takeWord('true', true)
      case 'f':
        return takeWord('false', false)
      case 'n':
        return takeWord('null', null)
      default:
        return exactNumber(take(numberPattern))
    }
  }
  const takeWord = (word: string, value: unknown): unknown => {
    if (!text.startsWith(word, at)) fail()
    at += word.length
    return value
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
      at++
      if (separator === ',') {
        if (!isArray) frame.key = takeKey()
        break
      }
      if (separator !== (isArray ? ']' : '}')) {
        at--
        fail()
      }
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
      `The number ${literal.slice(0, 40)} does not fit a double; Kubernetes has no such value.`,
    )
  }
  if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(value)) return BigInt(literal)
  return value
}
