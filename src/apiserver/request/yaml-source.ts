import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
} from 'yaml'
import { setOwn } from '../../base/index.js'
import { goQuote } from '../../schema/internal.js'
import { GoDecodeError } from './go-decode-error.js'
import { sourceOf } from './json-source.js'
import type { ParsedBody } from './parse-body.js'

/** Deeper than any manifest. The composer calls itself for each level. */
const maxDepth = 200
/** Words, marks, spaces and ends of lines. Each costs microseconds, during which the server does nothing else. */
const maxLexemes = 250_000
/** What the server's parser refuses. */
const unprintable = /[^\t\n\r -~\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|(?<!^)\ufeff/u
/** All that aliases may add to a document, in values. */
const maxAliasedValues = 10_000

const unexpected = 'did not find expected node content'

/** What the server's parser says where ours has a code. It has more of them, and other ideas of where a mistake begins. */
const problems: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  BAD_INDENT: 'did not find expected key',
  MISSING_CHAR: 'did not find expected key',
  MULTILINE_IMPLICIT_KEY: "could not find expected ':'",
  TAB_AS_INDENT: 'found character that cannot start any token',
  UNEXPECTED_TOKEN: 'did not find expected key',
}

/**
 * The first document of a text in YAML 1.1, as the server's converter to JSON reads it: keys are texts, times stay
 * texts. Throws {@link GoDecodeError}. This module is loaded when the first such body arrives.
 */
export function parseYaml(text: string): ParsedBody {
  const lines = new LineCounter()
  const tokens = tokensOf(text, lines)
  const composer = new Composer({
    version: '1.1',
    schema: 'yaml-1.1',
    merge: true,
    uniqueKeys: false,
    lineCounter: lines,
    intAsBigInt: true,
    // Times stay texts, whether days or minutes; sets and pairs are not for JSON.
    customTags: (tags) =>
      tags.filter(
        (tag) =>
          typeof tag !== 'object' ||
          (!/:(?:timestamp|binary|set|omap|pairs)$/.test(tag.tag) && tag.format !== 'TIME'),
      ),
  })
  const [document] = composer.compose(tokens)
  const [error] = document?.errors ?? []
  if (error !== undefined) {
    // The server counts lines from zero, and says nothing of the first.
    const line = lines.linePos(error.pos[0]).line - 1
    throw new GoDecodeError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problems[error.code] ?? unexpected}`)
  }
  const reading = new Reading(lines)
  const value = document?.contents ? reading.read(document.contents, 0) : null
  return { source: sourceOf(value), strictErrors: reading.repeats }
}

function tokensOf(text: string, lines: LineCounter): readonly CST.Token[] {
  if (unprintable.test(text)) throw new GoDecodeError('yaml: control characters are not allowed')
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  lines.addNewLine(0)
  let lexemes = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > maxLexemes)
      throw new GoDecodeError(`yaml: document has more than ${maxLexemes} parts: send it as JSON`)
    tokens.push(...parser.next(lexeme))
  }
  tokens.push(...parser.end())
  for (const token of tokens) refuseDepth(token)
  return tokens
}

// A regular expression that V8 compiles at the end of the stack does not throw: it ends the process. The parser is a
// loop, so the depth is known before the composer, which is not, begins.
function refuseDepth(root: CST.Token): void {
  const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > maxDepth) throw new GoDecodeError(`yaml: exceeded max depth of ${maxDepth}`)
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth: depth + 1 })
      if (value) open.push({ token: value, depth: depth + 1 })
    }
  }
}

class Reading {
  readonly repeats: string[] = []
  readonly #lines: LineCounter
  readonly #anchors = new Map<string, Node>()
  readonly #open = new Set<Node>()
  #aliased = 0
  #inAlias = 0

  constructor(lines: LineCounter) {
    this.#lines = lines
  }

  read(node: unknown, depth: number): unknown {
    if (depth > maxDepth) throw new GoDecodeError(`yaml: exceeded max depth of ${maxDepth}`)
    if (this.#inAlias > 0 && ++this.#aliased > maxAliasedValues)
      throw new GoDecodeError('yaml: document contains excessive aliasing')
    if (isAlias(node)) return this.#alias(node.source, depth)
    if (isScalar(node)) {
      this.#remember(node)
      return scalarOf(node)
    }
    if (isSeq(node)) {
      this.#remember(node)
      return this.#within(node, () => node.items.map((item) => this.read(item, depth + 1)))
    }
    if (isMap(node)) {
      this.#remember(node)
      return this.#within(node, () => this.#map(node.items, depth))
    }
    return null
  }

  #map(items: readonly { readonly key: unknown; readonly value: unknown }[], depth: number): unknown {
    const result: Record<string, unknown> = {}
    const own = new Set<string>()
    for (const { key, value } of items) {
      if (isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol') && key.type === 'PLAIN') {
        this.#merge(result, own, value, depth)
        continue
      }
      const name = keyText(isScalar(key) ? scalarOf(key) : this.read(key, depth + 1))
      if (own.has(name)) {
        const { line } = this.#lines.linePos((isScalar(key) ? key.range?.[0] : undefined) ?? 0)
        this.repeats.push(`line ${line}: key ${goQuote(name)} already set in map`)
      }
      own.add(name)
      setOwn(result, name, this.read(value, depth + 1))
    }
    return result
  }

  /** What is merged stands behind what the map itself says, wherever that is. */
  #merge(result: Record<string, unknown>, own: ReadonlySet<string>, value: unknown, depth: number): void {
    const merged = this.read(value, depth + 1)
    for (const source of Array.isArray(merged) ? merged : [merged]) {
      if (typeof source !== 'object' || source === null)
        throw new GoDecodeError('yaml: map merge requires map or sequence of maps as the value')
      for (const [name, member] of Object.entries(source))
        if (!own.has(name) && !Object.hasOwn(result, name)) setOwn(result, name, member)
    }
  }

  #alias(name: string, depth: number): unknown {
    const target = this.#anchors.get(name)
    if (target === undefined) throw new GoDecodeError(`yaml: unknown anchor '${name}' referenced`)
    if (this.#open.has(target)) throw new GoDecodeError(`yaml: anchor '${name}' value contains itself`)
    this.#inAlias++
    const value = this.read(target, depth)
    this.#inAlias--
    return value
  }

  #remember(node: Node & { readonly anchor?: string | undefined }): void {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node)
  }

  #within<T>(node: Node, read: () => T): T {
    this.#open.add(node)
    const value = read()
    this.#open.delete(node)
    return value
  }
}

function scalarOf({ value, type, tag }: Scalar): unknown {
  if (typeof value === 'bigint') return integerOf(value)
  if (typeof value === 'string') {
    if (tag === 'tag:yaml.org,2002:binary') return Buffer.from(value, 'base64').toString()
    // Newer than YAML 1.1, but the server knows it.
    return type === 'PLAIN' && /^0o[0-7]+$/.test(value) ? Number(value) : value
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new GoDecodeError(
      `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    )
  return value ?? null
}

/** What no int64 holds is a float. */
function integerOf(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value
}

/** Keys of other types become texts, as in JSON. */
function keyText(key: unknown): string {
  if (typeof key === 'string') return key
  if (typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean') return String(key)
  throw new GoDecodeError('yaml: invalid map key')
}
