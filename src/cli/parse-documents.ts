import { Composer, type CST, type Document, LineCounter, Parser, visit } from 'yaml'
import { parseJson } from '../base/index.js'

/** Far deeper than any manifest. */
const maxDepth = 200

/**
 * The documents of a text that is JSON, or YAML 1.2 with any number of documents, as plain data; empty ones are null.
 * Integers beyond 2^53 are bigints. Aliases are limited, so a small text stays small. Merge keys are not in YAML 1.2, but
 * kubectl knows them, and so do the files people have.
 *
 * @throws Error with the place when the text is neither, or nested deeper than 200 levels.
 */
export function parseDocuments(text: string): unknown[] {
  return parseAsJson(text) ?? parseAsYaml(text)
}

// JSON is YAML, but its own parser is an order of magnitude faster.
function parseAsJson(text: string): unknown[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return [parseJson(text)]
  } catch {
    return undefined
  }
}

function parseAsYaml(text: string): unknown[] {
  const lines = new LineCounter()
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  for (const token of tokens) refuseDepth(token, lines)
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: true,
    intAsBigInt: true,
    lineCounter: lines,
  })
  return [...composer.compose(tokens)].map((document) => {
    const [error] = document.errors
    if (error !== undefined)
      throw new Error(`${placeOf(error.pos[0], lines)}: ${error.message}`, { cause: error })
    makeNumbers(document)
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return value
  })
}

/** Integers that a number can hold become numbers, as they are elsewhere. */
function makeNumbers(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'bigint') return
      const value = Number(node.value)
      if (Number.isSafeInteger(value)) node.value = value
    },
  })
}

// The composer calls itself for each level, and a regular expression that V8 compiles at the end of the stack does not
// throw: it ends the process. The parser before it is a loop, so the depth is known in time.
function refuseDepth(root: CST.Token, lines: LineCounter): void {
  const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > maxDepth)
      throw new Error(`${placeOf(token.offset, lines)}: nested deeper than ${maxDepth} levels`)
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth: depth + 1 })
      if (value) open.push({ token: value, depth: depth + 1 })
    }
  }
}

function placeOf(offset: number, lines: LineCounter): string {
  const { line, col } = lines.linePos(offset)
  return `line ${line}, column ${col}`
}
