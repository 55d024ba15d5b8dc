import { deepEqual } from '../../base/index.js'
import { type FieldSet, type FieldSetDraft, insert } from './field-set.js'
import { elementOf } from './list-element.js'
import { fieldElement, type PathElement } from './path-element.js'
import { asList, asMap, keysOf, type Shape, shapeOf } from './shape.js'
import type { TypedList, TypedMap, TypedSchema } from './typed-schema.js'

/** Where two objects differ. No field is in more than one of the sets. */
export interface Comparison {
  readonly removed: FieldSet
  readonly modified: FieldSet
  readonly added: FieldSet
}

interface Walk {
  readonly removed: FieldSetDraft
  readonly modified: FieldSetDraft
  readonly added: FieldSetDraft
  /** Where the walk is: pushed and popped along the way. */
  readonly path: PathElement[]
}

/** Both must be valid for the schema. */
export function compare(before: unknown, after: unknown, schema: TypedSchema): Comparison {
  const walk: Walk = { removed: new Map(), modified: new Map(), added: new Map(), path: [] }
  compareAt(walk, before, after, schema)
  return walk
}

/** At most one of the two is undefined, which is absent; null is a value. */
function compareAt(walk: Walk, before: unknown, after: unknown, schema: TypedSchema): void {
  const shape = shapeOf(schema, after === undefined ? before : after)
  if (before !== undefined && after !== undefined) {
    const former = shapeOf(schema, before)
    if (former !== shape) compareAs(former, walk, [before, after], schema)
  }
  if (compareAs(shape, walk, [before, after], schema)) return
  if (before === undefined) insert(walk.added, walk.path)
  else if (after === undefined) insert(walk.removed, walk.path)
}

type Pair = readonly [before: unknown, after: unknown]

/** True if the values were compared as one thing. */
function compareAs(shape: Shape | undefined, walk: Walk, pair: Pair, schema: TypedSchema): boolean {
  if (shape === 'map' && schema.map !== undefined) return compareMaps(walk, pair, schema.map)
  if (shape === 'list' && schema.list !== undefined) return compareLists(walk, pair, schema.list)
  compareWhole(walk, pair)
  return true
}

function compareWhole({ added, removed, modified, path }: Walk, [before, after]: Pair): void {
  if (before === undefined) insert(added, path)
  else if (after === undefined) insert(removed, path)
  else if (!deepEqual(before, after)) insert(modified, path)
}

function compareMaps(walk: Walk, pair: Pair, map: TypedMap): boolean {
  const before = asMap(pair[0])
  const after = asMap(pair[1])
  const keys = keysOf(before)
  const laterKeys = keysOf(after)
  // Nothing on both sides is one thing: so null and an empty map stay different.
  if (map.isAtomic || (keys.length === 0 && laterKeys.length === 0)) {
    compareWhole(walk, pair)
    return true
  }
  const visit = (key: string, left: unknown, right: unknown): void => {
    const schema = map.field(key) ?? map.others
    if (schema === undefined) return
    walk.path.push(fieldElement(key))
    compareAt(walk, left, right, schema)
    walk.path.pop()
  }
  for (const key of keys) visit(key, before?.[key], ownMember(after, key))
  for (const key of laterKeys) if (ownMember(before, key) === undefined) visit(key, undefined, after?.[key])
  return false
}

function ownMember(map: Readonly<Record<string, unknown>> | undefined, key: string): unknown {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined
}

function compareLists(walk: Walk, pair: Pair, list: TypedList): boolean {
  const before = asList(pair[0]) ?? []
  const after = asList(pair[1]) ?? []
  if (!list.isAssociative || (before.length === 0 && after.length === 0)) {
    compareWhole(walk, pair)
    return true
  }
  const former = byElement(before, list)
  const later = byElement(after, list)
  for (const [element, items] of former) compareItems(walk, element, [items, later.get(element) ?? []], list)
  for (const [element, items] of later)
    if (!former.has(element)) compareItems(walk, element, [[], items], list)
  return false
}

type Items = readonly unknown[]

function byElement(items: Items, list: TypedList): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>()
  for (const item of items) {
    const element = elementOf(list, item)
    const group = groups.get(element)
    if (group === undefined) groups.set(element, [item])
    else group.push(item)
  }
  return groups
}

/** Items that share an element cannot be told apart: they are one thing, which a single item is not. */
function compareItems(
  walk: Walk,
  element: PathElement,
  [before, after]: readonly [Items, Items],
  list: TypedList,
): void {
  walk.path.push(element)
  const wasRepeated = before.length > 1
  const isRepeated = after.length > 1
  if (wasRepeated && isRepeated) {
    if (!deepEqual(before, after)) insert(walk.modified, walk.path)
  } else if (wasRepeated) {
    if (after.length > 0) compareAt(walk, undefined, after[0], list.items)
    insert(walk.removed, walk.path)
  } else if (isRepeated) {
    if (before.length > 0) compareAt(walk, before[0], undefined, list.items)
    insert(walk.added, walk.path)
  } else {
    compareAt(walk, before[0], after[0], list.items)
  }
  walk.path.pop()
}
