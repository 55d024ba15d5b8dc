import { setOwn } from '../../base/index.js'
import { elementOf } from './list-element.js'
import type { PathElement } from './path-element.js'
import { asList, asMap, keysOf, shapeOf } from './shape.js'
import type { TypedList, TypedMap, TypedSchema } from './typed-schema.js'

/**
 * The live value with what is applied over it: nothing is removed, leaves are taken from what is applied. Changes
 * neither and shares their parts. Both must be valid for the schema.
 */
export function mergeApplied(live: unknown, applied: unknown, schema: TypedSchema): unknown {
  if (applied === undefined) return live
  if (live === undefined) return applied
  switch (shapeOf(schema, applied)) {
    case 'map':
      return schema.map === undefined ? applied : mergeMaps(live, applied, schema.map)
    case 'list':
      return schema.list === undefined ? applied : mergeLists(live, applied, schema.list)
    default:
      return applied
  }
}

function mergeMaps(live: unknown, applied: unknown, map: TypedMap): unknown {
  const before = asMap(live)
  const changes = asMap(applied)
  const keys = keysOf(before)
  const changedKeys = keysOf(changes)
  if (map.isAtomic || (keys.length === 0 && changedKeys.length === 0)) return applied
  const merged: Record<string, unknown> = {}
  for (const key of keys) setOwn(merged, key, before?.[key])
  for (const key of changedKeys) {
    const current = Object.hasOwn(merged, key) ? merged[key] : undefined
    const schema = map.field(key) ?? map.others
    const change = changes?.[key]
    setOwn(merged, key, schema === undefined ? change : mergeApplied(current, change, schema))
  }
  return merged
}

function mergeLists(live: unknown, applied: unknown, list: TypedList): unknown {
  const before = asList(live) ?? []
  const changes = asList(applied) ?? []
  if (!list.isAssociative || (before.length === 0 && changes.length === 0)) return applied
  return mergeItems(before, changes, list)
}

/**
 * Items that are in both lists stand in the order of what is applied; the others stay behind the item that they stood
 * behind in the live list.
 */
function mergeItems(live: readonly unknown[], applied: readonly unknown[], list: TypedList): unknown[] {
  const liveElements = live.map((item) => elementOf(list, item))
  const appliedElements = applied.map((item) => elementOf(list, item))
  const liveByElement = new Map<PathElement, unknown>()
  for (const [index, element] of liveElements.entries()) {
    // Of items that cannot be told apart, none is merged with what is applied.
    liveByElement.set(element, liveByElement.has(element) ? null : live[index])
  }
  const appliedByElement = new Map(appliedElements.map((element, index) => [element, applied[index]]))
  const shared = appliedElements.filter((element) => liveByElement.has(element))
  let nextShared = 0
  const done = new Set<PathElement>()
  const merged: unknown[] = []
  const take = (element: PathElement): void => {
    done.add(element)
    merged.push(mergeApplied(liveByElement.get(element), appliedByElement.get(element), list.items))
    if (shared[nextShared] === element) nextShared++
  }
  let liveIndex = 0
  let appliedIndex = 0
  while (liveIndex < live.length || appliedIndex < applied.length) {
    const liveElement = liveElements[liveIndex]
    const appliedElement = appliedElements[appliedIndex]
    if (liveElement !== undefined && appliedElement !== undefined) {
      if (liveElement === appliedElement) {
        take(appliedElement)
        liveIndex++
        appliedIndex++
        continue
      }
      const wanted = shared[nextShared]
      if (wanted !== undefined && wanted !== liveElement && appliedByElement.has(liveElement)) {
        liveIndex++
        continue
      }
    }
    if (liveElement !== undefined) {
      if (!appliedByElement.has(liveElement)) {
        merged.push(live[liveIndex++])
        continue
      }
      if (done.has(liveElement)) liveIndex++
    }
    if (appliedElement !== undefined) {
      take(appliedElement)
      appliedIndex++
    }
  }
  return merged
}
