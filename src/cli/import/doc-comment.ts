/** Longest line of the generated files. */
export const lineWidth = 110

// Controls and bidirectional overrides: invisible in an editor, so a comment could hide what it says.
const invisible = /[^\P{Cc}\n]|[\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu
const loneSurrogate = /\p{Surrogate}/gu

/**
 * A description as TSDoc, wrapped, indented, one string per line; nothing for an empty description.
 * The text comes from strangers: it can end the comment as little as it can start a tag or a compiler directive.
 * @param tags - Lines of our own below the text, such as `@deprecated`; only what follows their first word is escaped.
 */
export function docComment(description: string, indent: string, tags: readonly string[] = []): string[] {
  const width = lineWidth - indent.length - ' * '.length
  const lines = [...wrapText(description, width).map(escapeLine), ...tags.map(escapeTag)]
  const [only] = lines
  if (only === undefined) return []
  const single = `${indent}/** ${only} */`
  if (lines.length === 1 && single.length <= lineWidth) return [single]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}

function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of clean(text).split('\n')) {
    const words = paragraph.split(' ').filter((word) => word !== '')
    const margin = ' '.repeat(Math.min(paragraph.length - paragraph.trimStart().length, 8))
    let line = words.length === 0 ? '' : margin
    for (const word of words) {
      if (line.trim() !== '' && line.length + word.length > width) {
        lines.push(line.trimEnd())
        line = margin
      }
      line += `${word} `
    }
    // One blank line separates paragraphs; more say nothing.
    if (line !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(line.trimEnd())
  }
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function clean(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replace(invisible, '')
    .replace(loneSurrogate, '\ufffd')
}

// After wrapping: a word that was in the middle of a sentence may now stand where a tag or `@ts-ignore` would.
function escapeLine(line: string): string {
  return endProof(line.replace(/(^\s*|\{\s*)@/g, '$1\\@'))
}

function escapeTag(tag: string): string {
  return endProof(clean(tag).replaceAll('\n', ' '))
}

function endProof(line: string): string {
  return line.replaceAll('*/', '*\\/')
}
