import { isPlainObject, setOwn } from '../../base/index.js'
import { guardDepth } from './depth.js'
import { compareCodePoints, goJson, goQuote } from './go-text.js'
import { goKindOf } from './go-value.js'

/** The Go types that make up ObjectMeta: the server decodes metadata into them, whatever a schema says. */
type GoType =
  | { readonly kind: 'string'; readonly name: string }
  | { readonly kind: 'int64' | 'bool' | 'time' | 'raw'; readonly name: string; readonly keepZero?: true }
  | { readonly kind: 'map'; readonly name: string }
  | { readonly kind: 'list'; readonly name: string; readonly item: GoType }
  | StructType

interface StructType {
  readonly kind: 'struct'
  readonly name: string
  readonly fields: ReadonlyMap<string, GoType>
  /** Written even when empty. */
  readonly always: readonly string[]
}

const text: GoType = { kind: 'string', name: 'string' }
const uid: GoType = { kind: 'string', name: 'types.UID' }
const time: GoType = { kind: 'time', name: 'string' }
const stringMap: GoType = { kind: 'map', name: 'map[string]string' }
const boolPointer: GoType = { kind: 'bool', name: 'bool', keepZero: true }

const ownerReference: StructType = {
  kind: 'struct',
  name: 'OwnerReference',
  fields: new Map<string, GoType>([
    ['apiVersion', text],
    ['kind', text],
    ['name', text],
    ['uid', uid],
    ['controller', boolPointer],
    ['blockOwnerDeletion', boolPointer],
  ]),
  always: ['apiVersion', 'kind', 'name', 'uid'],
}

const managedFieldsEntry: StructType = {
  kind: 'struct',
  name: 'ManagedFieldsEntry',
  fields: new Map<string, GoType>([
    ['manager', text],
    ['operation', { kind: 'string', name: 'v1.ManagedFieldsOperationType' }],
    ['apiVersion', text],
    ['time', time],
    ['fieldsType', text],
    ['fieldsV1', { kind: 'raw', name: 'v1.FieldsV1' }],
    ['subresource', text],
  ]),
  always: [],
}

const objectMeta: StructType = {
  kind: 'struct',
  name: 'ObjectMeta',
  fields: new Map<string, GoType>([
    ['name', text],
    ['generateName', text],
    ['namespace', text],
    ['selfLink', text],
    ['uid', uid],
    ['resourceVersion', text],
    ['generation', { kind: 'int64', name: 'int64' }],
    ['creationTimestamp', time],
    ['deletionTimestamp', time],
    ['deletionGracePeriodSeconds', { kind: 'int64', name: 'int64', keepZero: true }],
    ['labels', stringMap],
    ['annotations', stringMap],
    ['ownerReferences', { kind: 'list', name: '[]v1.OwnerReference', item: ownerReference }],
    ['finalizers', { kind: 'list', name: '[]string', item: text }],
    ['managedFields', { kind: 'list', name: '[]v1.ManagedFieldsEntry', item: managedFieldsEntry }],
  ]),
  always: [],
}

const wordOfKind = {
  boolean: 'bool',
  string: 'string',
  int: 'number',
  float: 'number',
  array: 'array',
  object: 'object',
  null: 'null',
} as const

interface Place {
  readonly struct: string
  readonly path: string
}

/** Why the server could not decode this metadata, in Go's words; undefined when it can. */
export function metadataDecodeProblem(metadata: unknown): string | undefined {
  const problem = decodeProblem(metadata, objectMeta, undefined)
  // Go names the first problem in the order of sorted keys. Sorting is left to the rare case that there is one.
  return problem === undefined ? undefined : decodeProblem(sortKeys(metadata), objectMeta, undefined)
}

function sortKeys(value: unknown, depth = 0): unknown {
  guardDepth(depth)
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, depth + 1))
  if (!isPlainObject(value)) return value
  const sorted: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort(compareCodePoints))
    setOwn(sorted, key, sortKeys(value[key], depth + 1))
  return sorted
}

function decodeProblem(value: unknown, type: GoType, place: Place | undefined): string | undefined {
  const kind = goKindOf(value)
  if (kind === 'null' || type.kind === 'raw') return undefined
  switch (type.kind) {
    case 'string':
      return kind === 'string' ? undefined : mismatch(wordOfKind[kind], type.name, place)
    case 'bool':
      return kind === 'boolean' ? undefined : mismatch(wordOfKind[kind], type.name, place)
    case 'int64':
      if (kind === 'int') return undefined
      return mismatch(kind === 'float' ? `number ${goJson(value)}` : wordOfKind[kind], type.name, place)
    case 'time':
      if (kind !== 'string') return mismatch(wordOfKind[kind], type.name, place)
      return timeProblem(String(value))
    case 'map':
      if (!isPlainObject(value)) return mismatch(wordOfKind[kind], type.name, place)
      return firstProblem(Object.keys(value), (key) => decodeProblem(value[key], text, place))
    case 'list':
      if (!Array.isArray(value)) return mismatch(wordOfKind[kind], type.name, place)
      return firstProblem(value, (item) => decodeProblem(item, type.item, place))
    case 'struct':
      if (!isPlainObject(value)) return mismatch(wordOfKind[kind], `v1.${type.name}`, place)
      return firstProblem(Object.keys(value), (key) => {
        const field = type.fields.get(key)
        const path = place === undefined ? key : `${place.path}.${key}`
        return field === undefined ? undefined : decodeProblem(value[key], field, { struct: type.name, path })
      })
  }
}

function firstProblem<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = check(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

function mismatch(found: string, wanted: string, place: Place | undefined): string {
  const target = place === undefined ? 'value' : `struct field ${place.struct}.${place.path}`
  return `json: cannot unmarshal ${found} into Go ${target} of type ${wanted}`
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

// Go names the first part that does not fit; ours is the one for text that is no time at all.
function timeProblem(value: string): string | undefined {
  if (rfc3339.test(value)) return undefined
  const shown = goQuote(value)
  return `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`
}

/**
 * Metadata as the server keeps it: fields that ObjectMeta does not have are gone, and so are empty ones.
 * Metadata that does not decode is returned as it is; validation reports it.
 */
export function coerceMetadata(metadata: unknown): unknown {
  return metadataDecodeProblem(metadata) === undefined ? coerceStruct(metadata, objectMeta) : metadata
}

function coerceStruct(value: unknown, type: StructType): Record<string, unknown> {
  const source = isPlainObject(value) ? value : {}
  const result: Record<string, unknown> = {}
  for (const [key, field] of type.fields) {
    const member = Object.hasOwn(source, key) ? coerceValue(source[key], field) : undefined
    if (member !== undefined) result[key] = member
    else if (type.always.includes(key)) result[key] = ''
  }
  return result
}

/** Undefined for what Go leaves out when empty. */
function coerceValue(value: unknown, type: GoType): unknown {
  if (value === null || value === undefined) return undefined
  switch (type.kind) {
    case 'struct':
      return coerceStruct(value, type)
    case 'list': {
      // Decoding has proved that it is an array.
      const items = (value as unknown[]).map((item) => coerceValue(item, type.item) ?? zeroOf(type.item))
      return items.length === 0 ? undefined : items
    }
    case 'map': {
      const result: Record<string, unknown> = {}
      for (const [key, member] of Object.entries(value)) setOwn(result, key, member ?? '')
      return Object.keys(result).length === 0 ? undefined : result
    }
    case 'raw':
      return value
    case 'string':
      return value === '' ? undefined : value
    case 'int64':
    case 'bool':
    case 'time':
      return (value === 0 || value === false) && type.keepZero !== true ? undefined : value
  }
}

function zeroOf(type: GoType): unknown {
  return type.kind === 'struct' ? coerceStruct({}, type) : ''
}
