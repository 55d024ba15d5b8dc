import { getOwn, isPlainObject } from '../../../base/index.js'
import { compareCodePoints, goJson } from '../../../schema/internal.js'
import { shownSelector } from '../shown-selector.js'
import { podTypes } from './pod-types.js'

interface Field {
  /** Empty for an embedded type, whose fields stand among those of its holder. */
  readonly name: string
  readonly type: string
}

// Parsed at the first use; what is written in the source never changes.
const parsed = new Map<string, readonly Field[]>()

function fieldsOf(type: string): readonly Field[] {
  if (parsed.size === 0) {
    for (const line of podTypes.trim().split('\n')) {
      const [name = '', ...fields] = line.split(' ')
      parsed.set(name, fields.map(parseField))
    }
  }
  return parsed.get(type) ?? []
}

function parseField(text: string): Field {
  const colon = text.indexOf(':')
  return { name: text.slice(0, colon), type: text.slice(colon + 1) }
}

/** What messages show in this form. */
export type InternalType =
  | 'EphemeralContainer'
  | 'PersistentVolumeClaimSpec'
  | 'PersistentVolumeSource'
  | 'PodSpec'
  | 'PodTemplateSpec'
  | 'SeccompProfile'
  | 'SecurityContext'

/**
 * A pod template or a part of it as it stands in messages: written from the server's own type, with Go's field names and
 * every field that could be set.
 */
export function internalJson(type: InternalType, value: unknown): string {
  return shownAs(type, value)
}

function shownAs(type: string, value: unknown): string {
  const rest = type.slice(1)
  switch (type.charAt(0)) {
    case '*':
      return isNothing(value) ? 'null' : shownAs(rest, value)
    case '+':
      return Array.isArray(value) ? `[${value.map((item) => shownAs(rest, item)).join(',')}]` : 'null'
    case '%':
      return isPlainObject(value) ? shownMap(rest, value) : 'null'
    default:
      return type.length === 1 ? shownScalar(type, value) : `{${members(type, value).join(',')}}`
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function shownMap(type: string, map: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(map).toSorted(([left], [right]) => compareCodePoints(left, right))
  return `{${entries.map(([key, value]) => `${goJson(key)}:${shownAs(type, value)}`).join(',')}}`
}

const zeros: Readonly<Record<string, unknown>> = { s: '', i: 0, b: false, q: '0', n: 0 }

function shownScalar(type: string, value: unknown): string {
  // Kept as the kind's own type has it, labels before expressions.
  if (type === 'L') return shownSelector(value as Parameters<typeof shownSelector>[0])
  return goJson(isNothing(value) ? zeros[type] : value)
}

const metadataFields = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
]

function members(type: string, value: unknown): string[] {
  const holder = isPlainObject(value) ? value : {}
  return fieldsOf(type).flatMap(({ name, type: fieldType }) => {
    if (name !== '') return [`"${name}":${shownAs(fieldType, valueOf(holder, type, name))}`]
    return fieldType === 'M' ? metadataMembers(holder) : members(fieldType, holder)
  })
}

function metadataMembers(holder: Readonly<Record<string, unknown>>): string[] {
  const metadata = getOwn(holder, 'metadata')
  if (!isPlainObject(metadata)) return []
  return metadataFields
    .filter((field) => !isNothing(getOwn(metadata, field)))
    .map((field) => `"${field}":${goJson(getOwn(metadata, field))}`)
}

// What the API has beside the security context, the server's own type has inside.
const hostFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers']

/** The names differ in their case only: `DNSPolicy` is `dnsPolicy`. */
function valueOf(holder: Readonly<Record<string, unknown>>, type: string, name: string): unknown {
  const key = Object.keys(holder).find((candidate) => candidate.toLowerCase() === name.toLowerCase())
  const value = key === undefined ? undefined : getOwn(holder, key)
  if (type !== 'PodSpec' || name !== 'SecurityContext') return value
  const moved = hostFields.flatMap((field) => {
    const own = getOwn(holder, field)
    return own === undefined ? [] : [[field, own] as const]
  })
  return moved.length === 0 ? value : { ...(isPlainObject(value) ? value : {}), ...Object.fromEntries(moved) }
}
