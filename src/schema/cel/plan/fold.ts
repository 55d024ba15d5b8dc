import { GrowingList } from '../value/list.js'
import { GrowingMap } from '../value/map.js'
import { implementationName } from '../value/runtime-type.js'
import { type CelList, type CelMap, type CelValue, failure, isFailure, ofKind } from '../value/value.js'
import type { Evaluate } from './plan.js'

interface FoldParts {
  readonly range: Evaluate
  readonly accuInit: Evaluate
  readonly condition: Evaluate
  readonly step: Evaluate
  readonly result: Evaluate
  readonly iterSlot: number
  /** -1 for comprehensions of one variable. */
  readonly iterSlot2: number
  readonly accuSlot: number
}

/** The loop behind every comprehension. */
export function foldOver(parts: FoldParts): Evaluate {
  const { iterSlot, iterSlot2, accuSlot } = parts
  const start: Evaluate = (frame) => growing(parts.accuInit(frame))
  return (frame) => {
    const range = parts.range(frame)
    if (isFailure(range)) return range
    const list = ofKind(range, 'list')
    const map = ofKind(range, 'map')
    if (list === undefined && map === undefined) return notIterable(range, iterSlot2 >= 0)
    const { slots, pending } = frame
    pending[accuSlot] = start
    for (const [first, second] of entries(list, map, iterSlot2 >= 0)) {
      slots[iterSlot] = first
      if (iterSlot2 >= 0) slots[iterSlot2] = second
      // A condition that fails does not stop the loop: a later element may still decide.
      if (parts.condition(frame) === false) break
      const next = parts.step(frame)
      pending[accuSlot] = undefined
      slots[accuSlot] = next
    }
    return finished(parts.result(frame))
  }
}

/** An empty start is made to grow in place: a copy per element would make `map` and `filter` quadratic. */
function growing(start: CelValue): CelValue {
  if (ofKind(start, 'list')?.size === 0) return new GrowingList()
  return ofKind(start, 'map')?.size === 0 ? new GrowingMap() : start
}

function* entries(
  list: CelList | undefined,
  map: CelMap | undefined,
  pairs: boolean,
): Generator<readonly [CelValue, CelValue]> {
  if (list !== undefined) {
    for (let index = 0, { size } = list; index < size; index++) {
      const element = list.at(index)
      yield pairs ? [BigInt(index), element] : [element, null]
    }
  } else if (map !== undefined) {
    for (const key of map.keys()) yield [key, pairs ? (map.find(key) ?? null) : null]
  }
}

function notIterable(range: CelValue, pairs: boolean): CelValue {
  const type = implementationName(range)
  return failure(
    pairs ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`,
  )
}

function finished(value: CelValue): CelValue {
  if (value instanceof GrowingList || value instanceof GrowingMap) return value.finished()
  return value
}
