const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * The bytes of a field with `format: byte`, or the position where the server gives up. It reads the alphabet of URLs
 * here, so `+` and `/` are wrong although the format allows them.
 */
export function decodeBase64(text: string): Uint8Array | number {
  const decoded: number[] = []
  let bits = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\n' || character === '\r') continue
    const value = alphabet.indexOf(character)
    if (value === -1) {
      if (character !== '=') return at
      const wrong = paddingProblem(text, at, count)
      if (wrong !== undefined) return wrong
      if (count === 2) decoded.push(bits >> 4)
      else decoded.push(bits >> 10, (bits >> 2) & 0xff)
      return Uint8Array.from(decoded)
    }
    bits = (bits << 6) | value
    count++
    if (count === 4) {
      decoded.push(bits >> 16, (bits >> 8) & 0xff, bits & 0xff)
      bits = 0
      count = 0
    }
  }
  return count === 0 ? Uint8Array.from(decoded) : text.length - count
}

/** What is wrong from the first `=` on, which comes after `count` characters of its group of four. */
function paddingProblem(text: string, first: number, count: number): number | undefined {
  if (count < 2) return first
  let at = skipBreaks(text, first + 1)
  if (count === 2) {
    if (at === text.length) return at
    if (text[at] !== '=') return at - 1
    at = skipBreaks(text, at + 1)
  }
  return at < text.length ? at : undefined
}

function skipBreaks(text: string, from: number): number {
  let at = from
  while (text[at] === '\n' || text[at] === '\r') at++
  return at
}
