const decimal = /^[1-9]\d*$/

/**
 * Compares two resourceVersions as the server orders them: decimal strings of any length, never numbers.
 * Undefined when one of them is not comparable ("", "0", or of another form): fall back to equality, never block.
 */
export function compareResourceVersions(left: string, right: string): -1 | 0 | 1 | undefined {
  if (!decimal.test(left) || !decimal.test(right)) return undefined
  if (left.length !== right.length) return left.length < right.length ? -1 : 1
  if (left === right) return 0
  return left < right ? -1 : 1
}
