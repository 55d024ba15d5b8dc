import { compareText } from './text.js'
import { compareTimestamps } from './timestamp.js'
import { type CelFailure, type CelValue, failure, noSuchOverload, ofKind } from './value.js'

type Order = -1 | 0 | 1

function sign(difference: number | bigint): Order {
  if (difference < 0) return -1
  return difference > 0 ? 1 : 0
}

type Numeric = bigint | number | { readonly kind: 'uint'; readonly value: bigint }

/** The number in a value of any numeric type. */
export function asNumeric(value: CelValue): Numeric | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return ofKind(value, 'uint')
}

/** Order across int, uint and double. NaN has none. */
export function compareNumbers(left: Numeric, right: Numeric): Order | CelFailure {
  const a = typeof left === 'object' ? left.value : left
  const b = typeof right === 'object' ? right.value : right
  if (Number.isNaN(a) || Number.isNaN(b)) return failure('NaN values cannot be ordered')
  // An int beside a double is rounded to a double first, as on the server: 2^53+1 equals 2^53 there.
  if (typeof a === 'number' && typeof b === 'bigint') return sign(a - Number(b))
  if (typeof a === 'bigint' && typeof b === 'number') return sign(Number(a) - b)
  if (a === b) return 0
  return a < b ? -1 : 1
}

function compareBytes(left: Uint8Array, right: Uint8Array): Order {
  return sign(Buffer.compare(left, right))
}

/** True for the types that `<` and its kin have a meaning for. */
export function isOrdered(value: CelValue): boolean {
  if (value === null) return false
  if (typeof value !== 'object') return true
  return ['uint', 'bytes', 'timestamp', 'duration'].includes(value.kind)
}

/** Order of two values of one ordered type (numbers among each other); a failure for anything else. */
export function compareValues(left: CelValue, right: CelValue): Order | CelFailure {
  const a = asNumeric(left)
  const b = asNumeric(right)
  if (a !== undefined && b !== undefined) return compareNumbers(a, b)
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return sign(Number(left) - Number(right))
  if (typeof left !== 'object' || left === null) return noSuchOverload()
  switch (left.kind) {
    case 'bytes': {
      const other = ofKind(right, 'bytes')
      return other === undefined ? noSuchOverload() : compareBytes(left.bytes, other.bytes)
    }
    case 'timestamp': {
      const other = ofKind(right, 'timestamp')
      return other === undefined ? noSuchOverload() : sign(compareTimestamps(left, other))
    }
    case 'duration': {
      const other = ofKind(right, 'duration')
      return other === undefined ? noSuchOverload() : sign(left.nanos - other.nanos)
    }
    default:
      return noSuchOverload()
  }
}
