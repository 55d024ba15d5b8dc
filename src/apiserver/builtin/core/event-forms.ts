import type { ApiObject, StoredApiObject } from '../../api-object.js'

/** The same fields under their names in the core group and in events.k8s.io. */
const names = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const

const toNew: ReadonlyMap<string, string> = new Map(names)
const toCore: ReadonlyMap<string, string> = new Map(names.map(([core, other]) => [other, core]))

/** An event as events.k8s.io has it. */
export function toNewEvent(event: ApiObject | StoredApiObject): ApiObject {
  return renamed(event, 'events.k8s.io/v1', toNew)
}

/** An event as the core group has it, which is how events are stored. */
export function toCoreEvent(event: ApiObject | StoredApiObject): ApiObject {
  return renamed(event, 'v1', toCore)
}

function renamed(
  event: ApiObject | StoredApiObject,
  apiVersion: string,
  table: ReadonlyMap<string, string>,
): ApiObject {
  const fields = Object.entries(event).map(([name, value]) => [table.get(name) ?? name, value] as const)
  // Kind and metadata are among the fields, and the top level is new.
  return { ...Object.fromEntries(fields), apiVersion } as ApiObject
}
