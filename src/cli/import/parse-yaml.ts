import { Composer, type CST, LineCounter, Parser } from 'yaml'

/** Far deeper than any CRD. */
const maxDepth = 200

/**
 * The documents of a YAML 1.2 text, as plain data; empty ones are null. Aliases are limited, so a small text stays
 * small. Merge keys are not in YAML 1.2, but kubectl knows them, and so do the files people have.
 *
 * @throws Error with the place when the text is not YAML, or nested deeper than 200 levels.
 */
export function parseYaml(text: string): unknown[] {
  const lines = new LineCounter()
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  for (const token of tokens) refuseDepth(token, lines)
  const composer = new Composer({ version: '1.2', schema: 'core', merge: true, lineCounter: lines })
  return [...composer.compose(tokens)].map((document) => {
    const [error] = document.errors
    if (error !== undefined)
      throw new Error(`${placeOf(error.pos[0], lines)}: ${error.message}`, { cause: error })
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return value
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
