import { setOwn } from '../../base/index.js'
import { emptySet, type FieldSet } from './field-set.js'
import { elementOf } from './list-element.js'
import { fieldElement } from './path-element.js'
import { asList, asMap, keysOf, shapeOf } from './shape.js'
import type { TypedList, TypedMap, TypedSchema } from './typed-schema.js'

/**
 * The value without the fields of the set. What loses all its members is null afterwards. Changes nothing and shares
 * the parts that stay.
 */
export function removeFields(value: unknown, set: FieldSet, schema: TypedSchema): unknown {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return value
    case 'list':
      return schema.list === undefined ? null : removeItems(value, set, schema.list)
    case 'map':
      return schema.map === undefined ? null : removeMembers(value, set, schema.map)
    default:
      return null
  }
}

function removeItems(value: unknown, set: FieldSet, list: TypedList): unknown {
  const items = asList(value) ?? []
  if (!list.isAssociative) return null
  const rest: unknown[] = []
  for (const item of items) {
    const { isMember, children } = set.get(elementOf(list, item)) ?? absent
    if (!isMember) rest.push(children === undefined ? item : removeFields(item, children, list.items))
  }
  return rest.length > 0 ? rest : null
}

function removeMembers(value: unknown, set: FieldSet, map: TypedMap): unknown {
  const members = asMap(value)
  if (members === undefined || map.isAtomic) return null
  const rest: Record<string, unknown> = {}
  for (const key of keysOf(members)) {
    const { isMember, children = emptySet } = set.get(fieldElement(key)) ?? absent
    if (isMember) continue
    const schema = map.field(key) ?? map.others
    const isTouched = children.size > 0 && schema !== undefined
    setOwn(rest, key, isTouched ? removeFields(members[key], children, schema) : members[key])
  }
  return Object.keys(rest).length > 0 ? rest : null
}

const absent = { isMember: false, children: undefined }
