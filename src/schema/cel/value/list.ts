import type { Meter } from '../plan/meter.js'
import { equalByLeft, equalValues } from './equality.js'
import { type CelList, type CelValue, type CelVerdict, ofKind } from './value.js'

/** What a list is made of. */
interface ListSource {
  readonly size: number
  at(index: number): CelValue
  readonly data?: readonly unknown[]
}

/** A list with the equality of lists that no schema says more about: by position. */
export function createList(source: ListSource): CelList {
  const list: CelList = {
    kind: 'list',
    size: source.size,
    at: (index) => source.at(index),
    equals: (other, meter) => equalElements(list, other, meter),
    contains: (value, meter) => containsValue(list, value, meter),
    concat: (other) => concatenated(list, other),
    ...(source.data === undefined ? {} : { data: source.data }),
  }
  return list
}

/** A list that a program has made, or that a function has returned. */
export function listOf(elements: readonly CelValue[]): CelList {
  return createList({ size: elements.length, at: (index) => elements[index] ?? null })
}

/** The elements of a list, one after the other. */
export function* elementsOf(list: CelList): Generator<CelValue> {
  for (let index = 0; index < list.size; index++) yield list.at(index)
}

function concatenated(left: CelList, right: CelList): CelList {
  if (left.size === 0) return right
  if (right.size === 0) return left
  const both = createList({
    size: left.size + right.size,
    at: (index) => (index < left.size ? left.at(index) : right.at(index - left.size)),
  })
  return { ...both, contains: (value, meter) => eitherContains(left, right, value, meter) }
}

function eitherContains(left: CelList, right: CelList, value: CelValue, meter: Meter): CelVerdict {
  const inLeft = left.contains(value, meter)
  if (inLeft === true) return true
  const inRight = right.contains(value, meter)
  return inRight === true || typeof inLeft === 'boolean' ? inRight : inLeft
}

function equalElements(list: CelList, other: CelValue, meter: Meter): CelVerdict {
  const right = ofKind(other, 'list')
  if (right === undefined || right.size !== list.size) return false
  for (let index = 0; index < list.size; index++) {
    meter.work(1)
    // An element that cannot be compared does not make the lists differ: that is the server's word.
    if (equalValues(list.at(index), right.at(index), meter) === false) return false
  }
  return true
}

function containsValue(list: CelList, value: CelValue, meter: Meter): CelVerdict {
  for (let index = 0; index < list.size; index++) {
    meter.work(1)
    if (equalByLeft(value, list.at(index), meter) === true) return true
  }
  return false
}

/**
 * The list that a comprehension builds. Adding to it changes it: a copy for every element would make `map` quadratic.
 */
export class GrowingList implements CelList {
  readonly kind = 'list'
  readonly #elements: CelValue[] = []

  get size(): number {
    return this.#elements.length
  }

  at(index: number): CelValue {
    return this.#elements[index] ?? null
  }

  equals(other: CelValue, meter: Meter): CelVerdict {
    return equalElements(this, other, meter)
  }

  contains(value: CelValue, meter: Meter): CelVerdict {
    return containsValue(this, value, meter)
  }

  concat(other: CelList, meter: Meter): CelValue {
    meter.work(other.size)
    // The size is read once: `other` may be this very list.
    for (let index = 0, { size } = other; index < size; index++) this.#elements.push(other.at(index))
    return this
  }

  /** The same elements in a list that no longer grows. */
  finished(): CelList {
    return listOf(this.#elements)
  }
}
