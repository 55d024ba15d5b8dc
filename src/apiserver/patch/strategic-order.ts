import { isPlainObject } from '../../base/index.js'

/** What identifies an item: the item itself, or its member of that name. */
export type IdentityOf = (item: unknown) => unknown

/** The identity of items in a list with that merge key; of scalars if it is empty. */
export function identityBy(mergeKey: string, areObjects: boolean): IdentityOf {
  if (!areObjects) return (item) => item
  return (item) => (isPlainObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined)
}

interface Order {
  /** Items that the patch names, in any order. */
  readonly named: readonly unknown[]
  /** The order that the patch gives to them. */
  readonly namedOrder: readonly unknown[]
  /** The other items. */
  readonly others: readonly unknown[]
  /** The order of the live list. */
  readonly liveOrder: readonly unknown[]
  readonly identityOf: IdentityOf
}

/**
 * The merged list in order: what the patch names stands in the patch's order, the others in the live one; where both
 * are known to the live list, its order decides which of the two comes next, else the patch comes first.
 */
export function inOrder({ named, namedOrder, others, liveOrder, identityOf }: Order): unknown[] {
  const livePosition = positionsIn(liveOrder, identityOf)
  const first = sortedBy(named, positionsIn(namedOrder, identityOf))
  const second = sortedBy(others, livePosition)
  const merged: unknown[] = []
  let next = 0
  for (const item of second) {
    const position = livePosition(item)
    while (next < first.length) {
      const rival = livePosition(first[next])
      if (position !== undefined && rival !== undefined && position < rival) break
      merged.push(first[next++])
    }
    merged.push(item)
  }
  merged.push(...first.slice(next))
  return merged
}

type PositionOf = (item: unknown) => number | undefined

function positionsIn(list: readonly unknown[], identityOf: IdentityOf): PositionOf {
  const positions = new Map<unknown, number>()
  for (const [index, item] of list.entries()) {
    const identity = identityOf(item)
    if (!positions.has(identity)) positions.set(identity, index)
  }
  return (item) => positions.get(identityOf(item))
}

/**
 * Sorts by position. An item without one sinks below everything that came before it, which turns a run of them around:
 * the server sorts with a comparison that calls each of two unknown items the lesser one.
 */
function sortedBy(items: readonly unknown[], positionOf: PositionOf): unknown[] {
  const sorted: unknown[] = []
  if (items.every((item) => positionOf(item) !== undefined)) {
    return items.toSorted((left, right) => (positionOf(left) ?? 0) - (positionOf(right) ?? 0))
  }
  for (const item of items) {
    let place = sorted.length
    while (place > 0 && goesBefore(item, sorted[place - 1], positionOf)) place--
    sorted.splice(place, 0, item)
  }
  return sorted
}

function goesBefore(left: unknown, right: unknown, positionOf: PositionOf): boolean {
  const leftPosition = positionOf(left)
  const rightPosition = positionOf(right)
  return leftPosition === undefined || rightPosition === undefined || leftPosition < rightPosition
}
