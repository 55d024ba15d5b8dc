/**
 * The tokens of a JSON pointer. What stands before the first slash is ignored, as the server ignores it; a text without a
 * slash has no tokens.
 */
export function splitPointer(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(decodeToken)
}

function decodeToken(token: string): string {
  return token.includes('~') ? token.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')) : token
}

/**
 * The index that a token means in a list of that length: a decimal number, signed or with leading zeros, a negative one
 * counted from the end. Undefined for anything else and for what lies outside.
 */
export function arrayIndex(token: string, length: number): number | undefined {
  if (!/^[+-]?\d+$/.test(token)) return undefined
  const number = Number(token)
  const index = number < 0 ? number + length : number
  return index >= 0 && index < length ? index : undefined
}
