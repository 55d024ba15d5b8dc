import type { Document, LineCounter } from 'yaml'

/** A YAML document that is safe to work with, or what is wrong with the text. Never quotes it: it may be secret. */
type ParsedYaml =
  | { readonly kind: 'yaml'; readonly document: Document.Parsed; readonly lines: LineCounter }
  | { readonly kind: 'problem'; readonly message: string }

/** Brackets within brackets. */
const maxBrackets = 200
/** A level of block style takes at least one column, so this bounds the levels as well. */
const deepLine = /^[ \t\-?:]{401}/m

/**
 * Parses one YAML document. Syntax errors, several documents, unknown tags, repeated or structured keys are refused, and
 * so is nesting that no kubeconfig has: the parser is recursive, and at some thousand levels it takes the process down.
 */
export async function parseYamlDocument(text: string): Promise<ParsedYaml> {
  if (deepLine.test(text) || bracketDepth(text) > maxBrackets)
    return { kind: 'problem', message: 'its nesting is too deep for a kubeconfig: name another file' }

  const { isNode, isScalar, LineCounter: Lines, parseDocument, visit } = await import('yaml')
  const lines = new Lines()
  // Pretty errors quote the text. The parser's own check for repeated keys takes quadratic time.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    merge: true,
  })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault !== undefined)
    return {
      kind: 'problem',
      message: `it is not valid YAML at ${placeOf(lines, fault.pos[0])} (${fault.code}): correct that line`,
    }

  let problem: { readonly what: string; readonly offset: number } | undefined
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        const offset = (isNode(key) ? key.range?.[0] : undefined) ?? 0
        // The parser prints a warning, with the key in it, when it makes text of such a key.
        if (!isScalar(key)) problem = { what: 'a key is not plain text', offset }
        else if (seen.has(key.value)) problem = { what: 'a key is repeated', offset }
        else seen.add(key.value)
        if (problem !== undefined) return visit.BREAK
      }
      return undefined
    },
  })
  if (problem === undefined) return { kind: 'yaml', document, lines }
  const { what, offset } = problem
  return { kind: 'problem', message: `${what} at ${placeOf(lines, offset)}: correct that line` }
}

function placeOf(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `line ${line}, column ${col}`
}

/** Counts brackets in strings too: text with hundreds of unmatched ones is not worth the risk. */
function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
