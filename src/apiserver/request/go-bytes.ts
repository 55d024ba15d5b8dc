const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What a text in base64 holds, written again as Go writes it; or the position that Go stumbles at. */
export function normalizeBase64(text: string): { readonly value: string } | { readonly illegalAt: number } {
  if (canonical.test(text)) return { value: Buffer.from(text, 'base64').toString('base64') }
  const illegalAt = illegalPosition(text)
  return illegalAt === undefined ? { value: Buffer.from(text, 'base64').toString('base64') } : { illegalAt }
}

/** Line ends are ignored wherever they stand. */
function illegalPosition(text: string): number | undefined {
  const isLineEnd = (at: number): boolean => text[at] === '\n' || text[at] === '\r'
  let inQuantum = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isLineEnd(at)) continue
    if (/[A-Za-z0-9+/]/.test(character)) {
      inQuantum = (inQuantum + 1) % 4
      continue
    }
    if (character !== '=' || inQuantum < 2) return at
    let next = at + 1
    if (inQuantum === 2) {
      while (isLineEnd(next)) next++
      if (next >= text.length) return text.length
      if (text[next] !== '=') return next
      next++
    }
    while (isLineEnd(next)) next++
    return next < text.length ? next : undefined
  }
  return inQuantum === 0 ? undefined : text.length - inQuantum
}
