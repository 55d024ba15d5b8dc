import type { ApiObject, StoredApiObject } from '../../api-object.js'
import { isBlank } from '../value-rules.js'

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

/** Always there in the core group, left out while empty in events.k8s.io: by their names in the core group. */
const reporters = ['reportingComponent', 'reportingInstance'] as const

/** An event as events.k8s.io has it. */
export function toNewEvent(event: ApiObject | StoredApiObject): ApiObject {
  const empty: ReadonlySet<string> = new Set(reporters.filter((name) => isBlank(event[name])))
  return renamed(
    Object.entries(event).filter(([name]) => !empty.has(name)),
    'events.k8s.io/v1',
    toNew,
  )
}

/** An event as the core group has it, which is how events are stored. */
export function toCoreEvent(event: ApiObject | StoredApiObject): ApiObject {
  const core = renamed(Object.entries(event), 'v1', toCore)
  for (const name of reporters) core[name] ??= ''
  return core
}

function renamed(
  fields: readonly (readonly [name: string, value: unknown])[],
  apiVersion: string,
  table: ReadonlyMap<string, string>,
): ApiObject {
  const named = fields.map(([name, value]) => [table.get(name) ?? name, value] as const)
  // Kind and metadata are among the fields, and the top level is new.
  return { ...Object.fromEntries(named), apiVersion } as ApiObject
}
