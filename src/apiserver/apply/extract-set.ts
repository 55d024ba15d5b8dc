import { isPlainObject } from '../../base/index.js'
import type { FieldNodeDraft, FieldSet, FieldSetDraft } from './field-set.js'
import { elementOf } from './list-element.js'
import { fieldElement, type PathElement } from './path-element.js'
import { asList, asMap, keysOf, shapeOf } from './shape.js'
import type { TypedList, TypedMap, TypedSchema } from './typed-schema.js'

/** The fields that an object sets: what its applier owns. The object must be valid for the schema. */
export function extractSet(value: unknown, schema: TypedSchema): FieldSet {
  const draft: FieldSetDraft = new Map()
  collect(value, schema, draft)
  return draft
}

/** Adds what is below a value to the draft; true if the value itself is owned. */
function collect(value: unknown, schema: TypedSchema, draft: FieldSetDraft): boolean {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return true
    case 'list':
      return schema.list !== undefined && collectItems(value, schema.list, draft)
    case 'map':
      return schema.map !== undefined && collectMembers(value, schema.map, draft)
    default:
      return false
  }
}

function collectMembers(value: unknown, map: TypedMap, draft: FieldSetDraft): boolean {
  if (map.isAtomic) return true
  const members = asMap(value)
  if (members === undefined) return false
  for (const key of keysOf(members)) {
    const member = members[key]
    const field = map.field(key)
    const isBare = member === null || (isPlainObject(member) && keysOf(member).length === 0)
    const schema = field ?? map.others
    const node = schema && nodeOf(member, schema, isBare || field === undefined)
    if (node !== undefined) draft.set(fieldElement(key), node)
  }
  return false
}

function collectItems(value: unknown, list: TypedList, draft: FieldSetDraft): boolean {
  if (!list.isAssociative) return true
  const items = asList(value) ?? []
  const elements = items.map((item) => elementOf(list, item))
  const repeated = repetitions(elements)
  for (const [index, element] of elements.entries()) {
    // Items that cannot be told apart are owned together.
    const node = repeated?.has(element)
      ? { isMember: true, children: undefined }
      : nodeOf(items[index], list.items, true)
    if (node !== undefined) draft.set(element, node)
  }
  return false
}

/** Undefined when neither the value nor anything below it is owned. */
function nodeOf(value: unknown, schema: TypedSchema, isMember: boolean): FieldNodeDraft | undefined {
  const below: FieldSetDraft = new Map()
  const isOwned = collect(value, schema, below) || isMember
  const children = below.size > 0 ? below : undefined
  return isOwned || children !== undefined ? { isMember: isOwned, children } : undefined
}

/** The elements that occur more than once; undefined for the usual case, none. */
function repetitions(elements: readonly PathElement[]): ReadonlySet<PathElement> | undefined {
  const seen = new Set(elements)
  if (seen.size === elements.length) return undefined
  const repeated = new Set<PathElement>()
  for (const element of elements) if (!seen.delete(element)) repeated.add(element)
  return repeated
}
