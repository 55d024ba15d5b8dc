import { deepCopy, getOwn, isPlainObject, setOwn } from '../../base/index.js'
import { badRequest } from '../failure.js'
import { jsonTypeName } from '../json-type-name.js'

type Members = Record<string, unknown>

/**
 * Applies a JSON merge patch (RFC 7386) as the server does: `null` removes, objects merge, everything else replaces.
 * Unlike the RFC, nulls inside of objects inside of a list are dropped too, unless the list replaces an object. Changes
 * neither argument and shares nothing with them. Throws ApiFailure 400 for a patch that is no object.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (!isPlainObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    )
  }
  if (!isPlainObject(document)) return withoutNulls(patch)
  const merged = deepCopy<Members>(document)
  // A stack of one's own: a patch may be nested deeper than the call stack is.
  const open: [target: Members, changes: Members][] = [[merged, patch]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [target, changes] = next
    for (const key of Object.keys(changes)) {
      const change = changes[key]
      if (change === null || change === undefined) {
        delete target[key]
        continue
      }
      const current = getOwn(target, key)
      if (!isPlainObject(current)) setOwn(target, key, withoutNulls(change))
      else if (isPlainObject(change)) open.push([current, change])
      else setOwn(target, key, deepCopy(change))
    }
  }
  return merged
}

/** A copy without the members that are null. Items of lists stay, even if null. */
function withoutNulls(value: unknown): unknown {
  const copy = deepCopy(value)
  const open: unknown[] = [copy]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) open.push(item)
    } else if (isPlainObject(next)) {
      for (const key of Object.keys(next)) {
        const member = next[key]
        if (member === null) delete next[key]
        else if (typeof member === 'object') open.push(member)
      }
    }
  }
  return copy
}
