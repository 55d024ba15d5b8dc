import { assertNever, deepEqual } from '../../../base/index.js'
import type { Meter } from '../plan/meter.js'
import { asNumeric, compareNumbers } from './compare.js'
import { type CelValue, type CelVerdict, ofKind } from './value.js'

/** What `==` says: null equals only null, everything else is asked itself. */
export function equalValues(left: CelValue, right: CelValue, meter: Meter): CelVerdict {
  if (left === null || right === null) return left === right
  return equalByLeft(left, right, meter)
}

/**
 * Equality as the left value sees it. It is not always symmetric: a list of an object refuses to be compared with a
 * number (a failure), a number merely differs from a list.
 */
export function equalByLeft(left: CelValue, right: CelValue, meter: Meter): CelVerdict {
  if (left === null) return right === null
  const numeric = asNumeric(left)
  if (numeric !== undefined) {
    const other = asNumeric(right)
    return other !== undefined && compareNumbers(numeric, other) === 0
  }
  if (typeof left === 'string') {
    if (typeof right !== 'string') return false
    if (left.length === right.length) meter.work(left.length >> 6)
    return left === right
  }
  if (typeof left !== 'object') return left === right
  switch (left.kind) {
    case 'list':
    case 'map':
      return left.equals(right, meter)
    case 'opaque':
      return left.equals(right)
    case 'failure':
      return left
    case 'preserved':
      return equalPreserved(left.data, right, meter)
    case 'type':
      return ofKind(right, 'type')?.name === left.name
    case 'duration':
      return ofKind(right, 'duration')?.nanos === left.nanos
    case 'timestamp': {
      const other = ofKind(right, 'timestamp')
      return other?.seconds === left.seconds && other.nanos === left.nanos
    }
    case 'bytes': {
      const other = ofKind(right, 'bytes')
      return other !== undefined && Buffer.compare(left.bytes, other.bytes) === 0
    }
    case 'optional': {
      const other = ofKind(right, 'optional')
      if (other === undefined) return false
      if (left.value === undefined || other.value === undefined) return left.value === other.value
      return equalByLeft(left.value, other.value, meter)
    }
    case 'uint':
      return false
    default:
      return assertNever(left)
  }
}

function equalPreserved(data: unknown, right: CelValue, meter: Meter): boolean {
  const other = ofKind(right, 'preserved')
  meter.work(1)
  return other !== undefined && deepEqual(data, other.data)
}
