const maxRunes = 4 * 1024
const maxRunesEach = 256

/** Collects the texts of `Warning` headers: each once, and cut where they would become too long together. */
export class Warnings {
  #texts: Set<string> | undefined

  add(text: string): void {
    // oxlint-disable-next-line no-control-regex -- no header may hold them, and the server leaves such a text out
    if (text === '' || /[\u0000-\u001f\u007f-\u009f]/.test(text)) return
    this.#texts ??= new Set()
    this.#texts.add(text)
  }

  /** The values of the headers, `299 - "..."`; undefined if there is none. */
  headers(): readonly string[] | undefined {
    if (this.#texts === undefined) return undefined
    const texts = [...this.#texts]
    const total = texts.reduce((sum, text) => sum + Array.from(text).length, 0)
    if (total <= maxRunes) return texts.map(headerOf)
    const headers: string[] = []
    let written = 0
    for (const text of texts) {
      if (written >= maxRunes) break
      const runes = Array.from(text).slice(0, maxRunesEach)
      written += runes.length
      headers.push(headerOf(runes.join('')))
    }
    return headers
  }
}

function headerOf(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`
}
