import { setOwn } from '../../base/index.js'
import type { ApiObject } from '../api-object.js'

/** Gives an object the members of another and no others: plugins change an object, they do not exchange it. */
export function replaceMembers(object: ApiObject, members: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(object)) if (!Object.hasOwn(members, key)) delete object[key]
  for (const key of Object.keys(members)) setOwn(object, key, members[key])
}
