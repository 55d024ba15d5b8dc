/**
 * What kube-apiserver makes of a JSON value: Go has two kinds of number, and its messages print them differently.
 * A value counts as the text that `stringifyJson` would send for it.
 */
export type GoKind = 'null' | 'boolean' | 'string' | 'int' | 'float' | 'array' | 'object'

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

export function goKindOf(value: unknown): GoKind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'number':
      if (Number.isSafeInteger(value)) return 'int'
      if (!Number.isFinite(value)) return 'null'
      return largeInteger(value) === undefined ? 'float' : 'int'
    case 'bigint':
      return fitsInt64(value) ? 'int' : 'float'
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? 'array' : 'object'
    default:
      return 'null'
  }
}

/** A number of kind `int`, exact: beyond 2^53 a bigint of the digits that travel in JSON, not of the double behind them. */
export function goInteger(value: number | bigint): number | bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value
  return largeInteger(value) ?? value
}

function largeInteger(value: number): bigint | undefined {
  // From 1e21 on JSON has an exponent, which Go reads as a float.
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return undefined
  const digits = BigInt(String(value))
  return fitsInt64(digits) ? digits : undefined
}

function fitsInt64(value: bigint): boolean {
  return value >= int64Min && value <= int64Max
}

/** `int64(f)` on amd64: towards zero, and the lowest integer for everything that does not fit. */
export function goTruncate(value: number): number | bigint {
  if (value > -(2 ** 63) && value < 2 ** 63) {
    const whole = Math.trunc(value) + 0
    return Number.isSafeInteger(whole) ? whole : BigInt(whole)
  }
  return int64Min
}
