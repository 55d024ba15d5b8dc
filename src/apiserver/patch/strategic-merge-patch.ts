import { deepCopy, getOwn, isPlainObject, setOwn } from '../../base/index.js'
import type { ApiSchema } from '../api-schema.js'
import { badRequest } from '../failure.js'
import { jsonTypeName } from '../json-type-name.js'
import { goTypeOf } from './go-type-of.js'
import { unforeseen } from './patch-failure.js'
import {
  checkOrder,
  commonType,
  deleteFromList,
  directiveTarget,
  type Members,
  mergeLists,
  objectType,
  reorder,
  unknownDirective,
} from './strategic-lists.js'
import { listStrategy, objectStrategy } from './strategic-schema.js'

const orderPrefix = '$setElementOrder'
const deletionPrefix = '$deleteFromPrimitiveList'

/**
 * Applies a strategic merge patch: objects merge, lists merge by the merge keys of the schema, and the `$` directives of
 * the patch do what they say. Changes neither argument and shares nothing with them. Throws ApiFailure: 400 for what is no
 * patch, and the server's 500 for one that contradicts the schema or itself.
 */
export function applyStrategicMergePatch(document: unknown, patch: unknown, schema: ApiSchema): unknown {
  if (patch !== null && !isPlainObject(patch)) {
    throw badRequest(
      `json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    )
  }
  // The merge works in place, on copies of its own.
  const live: Members = isPlainObject(document) ? deepCopy<Members>(document) : {}
  return mergeObjects(live, deepCopy<Members>(patch ?? {}), schema)
}

function mergeObjects(live: Members, patch: Members, schema: ApiSchema): Members {
  if (Object.hasOwn(patch, '$patch')) return followDirective(patch)
  retainKeys(live, patch)
  applyElementOrders(live, patch, schema)
  for (const key of Object.keys(patch)) {
    const change = patch[key]
    const isDeletion = key.startsWith(deletionPrefix)
    const field = isDeletion ? directiveTarget(key, deletionPrefix, 'primitive list') : key
    const current = getOwn(live, field)
    if (change === null) {
      delete live[field]
    } else if (Array.isArray(current) && Array.isArray(change)) {
      const strategy = listStrategy(schema, field)
      setOwn(
        live,
        field,
        isDeletion
          ? deleteFromList(current, change, strategy, mergeObjects)
          : mergeLists(current, change, strategy, mergeObjects),
      )
    } else if (isDeletion) {
      // What is no list has no items to delete.
    } else if (isPlainObject(current) && isPlainObject(change)) {
      const strategy = objectStrategy(schema, field)
      const isReplaced = strategy.strategy === 'replace'
      setOwn(live, field, isReplaced ? change : mergeObjects(current, change, strategy.schema))
    } else {
      take(live, field, change)
    }
  }
  return live
}

function followDirective(patch: Members): Members {
  switch (patch['$patch']) {
    case 'replace':
      delete patch['$patch']
      return patch
    case 'delete':
      return {}
    default:
      throw unknownDirective(patch)
  }
}

/** Carries out `$retainKeys`: what the list does not name goes from the live object, and must not be in the patch. */
function retainKeys(live: Members, patch: Members): void {
  if (!Object.hasOwn(patch, '$retainKeys')) return
  const list = patch['$retainKeys']
  delete patch['$retainKeys']
  if (!Array.isArray(list)) throw badRequest('invalid patch format of retainKeys')
  const retained = new Set<unknown>(list)
  for (const key of Object.keys(patch)) {
    const isDirective = key.startsWith(deletionPrefix) || key.startsWith(orderPrefix)
    if (patch[key] !== null && !isDirective && !retained.has(key)) {
      throw badRequest('invalid patch format of retainKeys')
    }
  }
  for (const key of Object.keys(live)) if (!retained.has(key)) delete live[key]
}

/** Merges the lists that have a `$setElementOrder` beside them, and takes both out of the patch. */
function applyElementOrders(live: Members, patch: Members, schema: ApiSchema): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue
    const order = patch[key]
    delete patch[key]
    if (!Array.isArray(order)) throw notAList(order)
    const field = directiveTarget(key, orderPrefix, 'setElementOrder list')
    const current = listOrNothing(live, field)
    const change = listOrNothing(patch, field)
    const strategy = listStrategy(schema, field)
    checkOrder(change ?? [], order, strategy.mergeKey)
    if (current === undefined && change === undefined) continue
    const isOfObjects = commonType(current ?? [], change ?? []) === objectType
    const liveItems = [...(current ?? [])]
    const merged =
      change === undefined
        ? liveItems
        : current === undefined
          ? withoutDirectives(change)
          : mergeLists(current, change, strategy, mergeObjects)
    setOwn(live, field, reorder(merged, order, liveItems, { isOfObjects, mergeKey: strategy.mergeKey }))
    delete patch[field]
  }
}

function listOrNothing(members: Members, field: string): unknown[] | undefined {
  if (!Object.hasOwn(members, field)) return undefined
  const value = members[field]
  if (Array.isArray(value)) return value
  throw notAList(value)
}

function notAList(value: unknown): Error {
  return unforeseen(`expected a []interface {}, but received a ${goTypeOf(value)}`)
}

/** Sets what the live object does not have, or has in another shape: without nulls and without directives. */
function take(live: Members, field: string, change: unknown): void {
  if (isPlainObject(change) && Object.hasOwn(change, '$patch')) {
    delete live[field]
    return
  }
  setOwn(live, field, change)
  clean(change, true)
}

function withoutDirectives(list: unknown[]): unknown[] {
  clean(list, false)
  return list
}

/** Removes directives in place, to any depth: objects with a `$patch`, wherever they stand; and null members. */
function clean(value: unknown, dropsNulls: boolean): void {
  const open: unknown[] = [value]
  const isDirective = (item: unknown): boolean => isPlainObject(item) && Object.hasOwn(item, '$patch')
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      let kept = 0
      for (const item of next) {
        if (isDirective(item)) continue
        next[kept++] = item
        if (typeof item === 'object' && item !== null) open.push(item)
      }
      next.length = kept
    } else if (isPlainObject(next)) {
      for (const key of Object.keys(next)) {
        const member = next[key]
        if (isDirective(member) || (dropsNulls && member === null)) delete next[key]
        else if (typeof member === 'object' && member !== null) open.push(member)
      }
    }
  }
}
