import type { CallCost } from '../check/declaration.js'
import { elementsOf } from '../value/list.js'
import { byteLength, characterCount } from '../value/text.js'
import { type CelValue, ofKind } from '../value/value.js'

const perCharacter = 0.1
const perPatternCharacter = 0.25

/** The size that a value has for cost: characters, elements, entries; 1 for what has no size. */
export function sizeOf(value: CelValue | undefined): number {
  if (typeof value === 'string') return characterCount(value)
  if (typeof value !== 'object' || value === null) return 1
  switch (value.kind) {
    case 'list':
    case 'map':
      return value.size
    case 'bytes':
      return value.bytes.length
    case 'opaque':
      return value.size ?? 1
    case 'optional':
      return value.value === undefined ? 1 : sizeOf(value.value)
    default:
      return 1
  }
}

/** The cost of reading an argument `times` times over. */
export function readingCost(times = 1): CallCost {
  return ([first]) => traversal(sizeOf(first) * times)
}

/** The cost of walking over this many characters. */
export function traversal(size: number): number {
  return Math.ceil(size * perCharacter)
}

/** The cost of matching a pattern against a text. */
export function matchCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * perCharacter) * Math.ceil(patternSize * perPatternCharacter)
}

/** The cost of reading a value with everything in it. */
export function deepReadingCost(value: CelValue | undefined): number {
  if (typeof value === 'string') return Math.floor(byteLength(value) * perCharacter)
  if (typeof value !== 'object' || value === null) return 1
  switch (value.kind) {
    case 'bytes':
      return Math.floor(value.bytes.length * perCharacter)
    case 'list': {
      let cost = 0
      for (const element of elementsOf(value)) cost += deepReadingCost(element)
      return cost
    }
    case 'map': {
      let cost = 0
      for (const key of value.keys()) cost += deepReadingCost(key) + deepReadingCost(value.find(key))
      return cost
    }
    default:
      return 1
  }
}

/** The cost of `==` (and `!=`, which has no discount for library types). */
export function equalityCost(left: CelValue, right: CelValue, negated: boolean): number {
  if (!negated && ofKind(left, 'opaque') !== undefined) return 1
  return traversal(Math.min(sizeOf(left), sizeOf(right)))
}
