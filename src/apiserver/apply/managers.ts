import { formatUtcTime, isPlainObject, parseUtcTime } from '../../base/index.js'
import type { ManagedFieldsEntry } from '../../objects/index.js'
import type { FieldSet } from './field-set.js'
import { decodeFields, encodeFields } from './fields-v1.js'
import { compareTexts } from './path-element.js'

/** What one manager owns, by one kind of write. */
export interface Manager {
  readonly name: string
  readonly operation: 'Apply' | 'Update'
  /** The version that the set is written in. */
  readonly apiVersion: string
  readonly subresource: string
  readonly set: FieldSet
  /** Undefined when it is not known. */
  readonly time: string | undefined
  /** The set in JSON, where it has been read from there. */
  readonly encoded?: EncodedSet
}

interface EncodedSet {
  readonly set: FieldSet
  readonly fields: unknown
}

/** All owners of an object's fields, by {@link managerId}. */
export type Managers = Map<string, Manager>

/**
 * Tells managers apart. One that applies has one set, whatever the version it applies in; one that updates has one for
 * each version.
 */
export function managerId({
  name,
  operation,
  apiVersion,
  subresource,
}: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = operation === 'Update' ? `,"apiVersion":${JSON.stringify(apiVersion)}` : ''
  const part = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`
  return `{"manager":${JSON.stringify(name)},"operation":"${operation}"${version}${part}}`
}

/** What is wrong with managedFields, in the words of the server. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError'
}

/** Reads `metadata.managedFields`. Throws {@link ManagedFieldsError} if any entry is not valid. */
export function decodeManagers(entries: unknown): Managers {
  const managers: Managers = new Map()
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const manager = decodeManager(isPlainObject(entry) ? entry : {}, index)
    managers.set(managerId(manager), manager)
  }
  return managers
}

function decodeManager(entry: Readonly<Record<string, unknown>>, index: number): Manager {
  const { operation, fieldsV1, time } = entry
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`')
  }
  const apiVersion = textOf(entry['apiVersion'])
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty')
  const fieldsType = textOf(entry['fieldsType'])
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`)
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(
      `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`,
    )
  }
  const set = decodeFields(fieldsV1)
  if (set === undefined) throw new ManagedFieldsError(`error decoding set of managed fields entry ${index}`)
  return {
    name: textOf(entry['manager']),
    operation,
    apiVersion,
    subresource: textOf(entry['subresource']),
    set,
    time: typeof time === 'string' ? wholeSeconds(time) : undefined,
    encoded: { set, fields: fieldsV1 },
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A time in the one spelling that stored objects have. */
function wholeSeconds(time: string): string | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time)) return time
  const epochMs = parseUtcTime(time)
  return epochMs === undefined ? undefined : formatUtcTime(epochMs, 0)
}

/** The managedFields of an object; undefined when nobody owns anything. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined
  return [...managers.values()].sort(compareManagers).map(encodeManager)
}

function encodeManager({
  name,
  operation,
  apiVersion,
  subresource,
  set,
  time,
  encoded,
}: Manager): ManagedFieldsEntry {
  const entry: ManagedFieldsEntry = {}
  if (name !== '') entry.manager = name
  entry.operation = operation
  entry.apiVersion = apiVersion
  if (time !== undefined) entry.time = time
  entry.fieldsType = 'FieldsV1'
  const isStored = encoded?.set === set && Object.isFrozen(encoded.fields) && isPlainObject(encoded.fields)
  // A stored set is in the right order already. Nobody changes it: it is frozen, and a whole entry is what gets replaced.
  entry.fieldsV1 = isStored ? encoded.fields : encodeFields(set)
  if (subresource !== '') entry.subresource = subresource
  return entry
}

function compareManagers(left: Manager, right: Manager): number {
  return (
    compareTexts(left.operation, right.operation) ||
    compareTexts(left.time ?? '', right.time ?? '') ||
    compareTexts(left.name, right.name) ||
    compareTexts(left.apiVersion, right.apiVersion) ||
    compareTexts(left.subresource, right.subresource)
  )
}
