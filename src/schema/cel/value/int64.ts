import { type CelFailure, failure } from './value.js'

/** The largest int. */
export const maxInt: bigint = 2n ** 63n - 1n
/** The smallest int. */
export const minInt: bigint = -(2n ** 63n)
/** The largest uint. */
export const maxUint: bigint = 2n ** 64n - 1n

/** The int if it fits 64 bits, else the overflow that the server reports. */
export function checkedInt(value: bigint): bigint | CelFailure {
  return value > maxInt || value < minInt ? failure('integer overflow') : value
}

/** The unsigned int if it fits 64 bits, else the overflow that the server reports. */
export function checkedUint(value: bigint): bigint | CelFailure {
  return value > maxUint || value < 0n ? failure('unsigned integer overflow') : value
}

const decimal = /^[+-]?[0-9]+$/
const unsignedDecimal = /^[0-9]+$/
// No 64-bit number has more digits; leading zeros aside, which the server accepts.
const longestNumeral = 400

/** A decimal int of 64 bits, or `undefined`: a sign and digits, nothing else. */
export function parseInt64(text: string): bigint | undefined {
  if (text.length > longestNumeral || !decimal.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return value > maxInt || value < minInt ? undefined : value
}

/** A decimal unsigned int of 64 bits without a sign, or `undefined`. */
export function parseUint64(text: string): bigint | undefined {
  if (text.length > longestNumeral || !unsignedDecimal.test(text)) return undefined
  const value = BigInt(text)
  return value > maxUint ? undefined : value
}
