/**
 * Compact JSON with a line for each member, two spaces a level, as Go indents it. Works on the bytes: numbers of any
 * length and strings of any content come out as they went in, and no depth is too deep.
 */
export function indentJson(compact: Buffer): Buffer {
  // One character for each byte: nothing is decoded, and what is sliced out goes back as it came.
  const text = compact.toString('latin1')
  let indented = ''
  let depth = 0
  let from = 0
  const breakAt = (at: number): void => {
    indented += `${text.slice(from, at)}\n${'  '.repeat(depth)}`
    from = at
  }
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at)
        break
      case ',':
        breakAt(at + 1)
        break
      case ':':
        indented += `${text.slice(from, at)}: `
        from = at + 1
        break
      case '{':
      case '[': {
        const isEmpty = text[at + 1] === '}' || text[at + 1] === ']'
        if (isEmpty) {
          at++
          break
        }
        depth++
        breakAt(at + 1)
        break
      }
      case '}':
      case ']':
        depth--
        breakAt(at)
        break
      default:
    }
  }
  return Buffer.from(indented + text.slice(from), 'latin1')
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
