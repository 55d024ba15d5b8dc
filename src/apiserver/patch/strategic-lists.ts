import { isPlainObject } from '../../base/index.js'
import { goPrint } from '../../schema/internal.js'
import type { ApiSchema } from '../api-schema.js'
import { badRequest } from '../failure.js'
import { goTypeOf } from './go-type-of.js'
import { patchDoesNotApply, unforeseen } from './patch-failure.js'
import { type IdentityOf, identityBy, inOrder } from './strategic-order.js'
import type { FieldStrategy } from './strategic-schema.js'

export type Members = Record<string, unknown>

/** Merges an object of the patch into the live one and returns the result. */
export type MergeObjects = (live: Members, patch: Members, schema: ApiSchema) => Members

/** The list that a patch makes of a live one. Both may be changed; the merged one shares their items. */
export function mergeLists(
  live: unknown[],
  patch: unknown[],
  field: FieldStrategy,
  mergeObjects: MergeObjects,
): unknown[] {
  if (field.strategy !== 'merge') return patch
  if (live.length === 0 && patch.length === 0) return live
  const { mergeKey } = field
  if (commonType(live, patch) !== objectType) {
    const merged = [...new Set([...live, ...patch])]
    return arrange(merged, patch, live, identityBy(mergeKey, false))
  }
  if (mergeKey === '') {
    throw unforeseen(
      `cannot merge lists without merge key for ${field.schema.goType === undefined ? 'map' : 'struct'}`,
    )
  }
  // commonType has seen that every item is an object.
  const { remaining, changes } = followDirectives(live as Members[], patch as Members[], mergeKey)
  const merged = [...remaining]
  const places = new Map<unknown, number>()
  const place = (item: Members, index: number): void => {
    if (Object.hasOwn(item, mergeKey) && !places.has(item[mergeKey])) places.set(item[mergeKey], index)
  }
  for (const [index, item] of merged.entries()) place(item, index)
  for (const change of changes) {
    const index = places.get(requiredKey(change, mergeKey))
    const match = index === undefined ? undefined : merged[index]
    if (index === undefined || match === undefined) place(change, merged.push(change) - 1)
    else merged[index] = mergeObjects(match, change, field.schema)
  }
  for (const item of [...merged, ...changes, ...remaining]) requiredKey(item, mergeKey)
  return arrange(merged, changes, remaining, identityBy(mergeKey, true))
}

/** What a list of deletions leaves of a live list. One of objects merges instead, as the server has it. */
export function deleteFromList(
  live: unknown[],
  deleted: unknown[],
  field: FieldStrategy,
  mergeObjects: MergeObjects,
): unknown[] {
  if (live.length === 0 && deleted.length === 0) return live
  if (commonType(live, deleted) === objectType) {
    return mergeLists(live, deleted, { ...field, strategy: 'merge' }, mergeObjects)
  }
  const gone = new Set(deleted)
  return live.filter((item) => !gone.has(item))
}

/** Puts a list, which the patch may have changed before, into the order of a `$setElementOrder` list. */
export function reorder(
  merged: readonly unknown[],
  order: readonly unknown[],
  live: readonly unknown[],
  { isOfObjects, mergeKey }: { readonly isOfObjects: boolean; readonly mergeKey: string },
): unknown[] {
  if (mergeKey !== '') {
    for (const item of merged) requiredKey(item, mergeKey)
    for (const item of order) {
      if (!isPlainObject(item)) throw unforeseen(`value for key ${order.indexOf(item)} is not a map`)
    }
  }
  if (isOfObjects) for (const item of [...order, ...live]) requiredKey(item, mergeKey)
  return arrange(merged, order, live, identityBy(mergeKey, isOfObjects))
}

/** Refuses a list of the patch that contradicts the `$setElementOrder` list beside it. */
export function checkOrder(patch: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return
  const kept = mergeKey === '' ? patch : patch.filter((item) => requiredObject(item)['$patch'] !== 'delete')
  let next = 0
  for (const wanted of order) {
    while (next < kept.length && hasDirective(kept[next])) next++
    if (next >= kept.length) return
    if (isSameItem(kept[next], wanted, mergeKey)) next++
  }
  while (next < kept.length && hasDirective(kept[next])) next++
  if (next < kept.length) {
    throw unforeseen(
      `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`,
    )
  }
}

/** The type that all items of both lists have in common; an ApiFailure where they have none. */
export function commonType(...lists: readonly (readonly unknown[])[]): string {
  let common: string | undefined
  for (const item of lists.flat()) {
    if (item === null) {
      if (common === undefined) throw patchDoesNotApply()
      throw mixedTypes(lists)
    }
    const type = goTypeOf(item)
    if (common === undefined) {
      if (type === listType) throw patchDoesNotApply()
      common = type
    } else if (type !== common) {
      throw mixedTypes(lists)
    }
  }
  if (common === undefined) throw unforeseen('no elements in any of the given slices')
  return common
}

export const objectType = 'map[string]interface {}'
const listType = '[]interface {}'

function mixedTypes(lists: unknown): Error {
  return unforeseen(`list element types are not identical: ${goPrint(lists)}`)
}

function arrange(
  merged: readonly unknown[],
  order: readonly unknown[],
  live: readonly unknown[],
  identityOf: IdentityOf,
): unknown[] {
  const inPatch = new Set(order.map(identityOf))
  const isNamed = (item: unknown): boolean => inPatch.has(identityOf(item))
  return inOrder({
    named: merged.filter(isNamed),
    namedOrder: order,
    others: merged.filter((item) => !isNamed(item)),
    liveOrder: live,
    identityOf,
  })
}

/** Carries out the `$patch` items of a list: what stays of the live list, and the items that are left to be merged. */
function followDirectives(
  live: Members[],
  patch: Members[],
  mergeKey: string,
): { remaining: Members[]; changes: Members[] } {
  const deleted = new Set<unknown>()
  let isReplaced = false
  const changes: Members[] = []
  for (const item of patch) {
    if (!Object.hasOwn(item, '$patch')) {
      changes.push(item)
      continue
    }
    switch (item['$patch']) {
      case 'delete':
        deleted.add(requiredKey(item, mergeKey))
        break
      case 'replace':
        isReplaced = true
        break
      case 'merge':
        throw unforeseen('merging lists cannot yet be specified in the patch')
      default:
        throw unknownDirective(item)
    }
  }
  if (isReplaced) return { remaining: changes, changes: [] }
  const isGone = (item: Members): boolean => Object.hasOwn(item, mergeKey) && deleted.has(item[mergeKey])
  return { remaining: live.filter((item) => !isGone(item)), changes }
}

/** A `$patch` that is none of the known ones. */
export function unknownDirective(patch: Members): Error {
  const directive = patch['$patch']
  const shown = typeof directive === 'string' ? directive : goVerbS(directive)
  return unforeseen(`unknown patch type: ${shown} in map: ${goPrint(patch)}`)
}

/** How Go's `%s` shows what is no text. */
function goVerbS(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)'
  if (typeof value === 'boolean') return `%!s(bool=${value})`
  if (typeof value === 'number' || typeof value === 'bigint')
    return `%!s(${goTypeOf(value)}=${goPrint(value)})`
  return goPrint(value)
}

function requiredObject(item: unknown): Members {
  if (isPlainObject(item)) return item
  throw unforeseen(`expected a ${objectType}, but received a ${goTypeOf(item)}`)
}

function requiredKey(item: unknown, mergeKey: string): unknown {
  const object = requiredObject(item)
  if (Object.hasOwn(object, mergeKey)) return object[mergeKey]
  throw unforeseen(`map: ${goPrint(object)} does not contain declared merge key: ${mergeKey}`)
}

function isSameItem(left: unknown, right: unknown, mergeKey: string): boolean {
  return mergeKey === '' ? left === right : requiredKey(left, mergeKey) === requiredKey(right, mergeKey)
}

function hasDirective(item: unknown): boolean {
  return isPlainObject(item) && Object.hasOwn(item, '$patch')
}

/** The name behind the slash of `$setElementOrder/name`; an ApiFailure 400 where there is none. */
export function directiveTarget(key: string, prefix: string, what: string): string {
  const slash = key.indexOf('/')
  if (slash === -1 || key.slice(0, slash) !== prefix) throw badRequest(`invalid patch format of ${what}`)
  return key.slice(slash + 1)
}
