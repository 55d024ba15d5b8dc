import { describeValue } from '../value/describe.js'
import { implementationName, runtimeType } from '../value/runtime-type.js'
import { describeType } from '../value/type.js'
import { type CelFailure, type CelValue, failure, isFailure, ofKind } from '../value/value.js'
import type { Frame, Qualifier } from './plan.js'

/** Selects by a key that is part of the program. */
export function constantQualifier(key: CelValue, optional: boolean): Qualifier {
  return {
    optional,
    select(frame, from) {
      const part = partOf(from, key)
      frame.meter.charge(1)
      return part === undefined ? missing(from, key) : part
    },
    selectIfPresent(frame, from) {
      const part = partOf(from, key)
      if (part !== undefined && !isFailure(part)) frame.meter.charge(1)
      return part
    },
  }
}

/** Tells whether a field is there instead of reading it. */
export function presenceQualifier(key: CelValue): Qualifier {
  return {
    optional: false,
    select(frame, from) {
      const part = partOf(from, key)
      frame.meter.charge(1)
      return part !== undefined && isFailure(part) ? part : part !== undefined
    },
    selectIfPresent(frame, from) {
      const part = partOf(from, key)
      if (part !== undefined && !isFailure(part)) frame.meter.charge(1)
      return part
    },
  }
}

/** Selects by a key that is computed at run time. */
export function computedQualifier(key: (frame: Frame) => CelValue, optional: boolean): Qualifier {
  const find = (frame: Frame, from: CelValue): { key: CelValue; part: CelValue | undefined } => {
    const index = key(frame)
    if (isFailure(index)) return { key: index, part: index }
    return { key: index, part: isKey(index) ? partOf(from, index) : badKey(index) }
  }
  return {
    optional,
    select(frame, from) {
      const found = find(frame, from)
      frame.meter.charge(1)
      return found.part === undefined ? missing(from, found.key) : found.part
    },
    selectIfPresent(frame, from) {
      const { part } = find(frame, from)
      if (part !== undefined && !isFailure(part)) frame.meter.charge(1)
      return part
    },
  }
}

function isKey(value: CelValue): boolean {
  return (typeof value !== 'object' && value !== null) || ofKind(value, 'uint') !== undefined
}

function badKey(key: CelValue): CelFailure {
  return failure(`invalid qualifier type: ${implementationName(key)}`)
}

function partOf(from: CelValue, key: CelValue): CelValue | undefined {
  if (typeof from !== 'object' || from === null) return undefined
  switch (from.kind) {
    case 'failure':
      return from
    case 'map':
      return from.find(key)
    case 'list': {
      const index = indexOf(key)
      if (typeof index !== 'number') return index
      return index >= 0 && index < from.size ? from.at(index) : undefined
    }
    default:
      return undefined
  }
}

/** A list takes any number as index that is whole. */
function indexOf(key: CelValue): number | CelFailure {
  if (typeof key === 'bigint') return clampIndex(key)
  if (typeof key === 'number') {
    return Number.isInteger(key) ? key : failure(`unsupported index value ${describeValue(key)} in list`)
  }
  const unsigned = ofKind(key, 'uint')
  if (unsigned !== undefined) return clampIndex(unsigned.value)
  return failure(`unsupported index type '${describeType(runtimeType(key))}' in list`)
}

function clampIndex(index: bigint): number {
  return index > 0x7fff_ffffn || index < 0n ? -1 : Number(index)
}

function missing(from: CelValue, key: CelValue): CelFailure {
  const isList = ofKind(from, 'list') !== undefined
  return failure(`${isList ? 'index out of bounds' : 'no such key'}: ${describeValue(key)}`)
}
