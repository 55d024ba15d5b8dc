import type { StructuralSchema } from '../structural-schema.js'
import type { AddProblem } from './check-structural.js'

/** The API server's rules for lists and maps that several writers share. */
export function checkListType(schema: StructuralSchema, add: AddProblem): void {
  checkMapType(schema, add)
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  if (listType === undefined) {
    if (keys.length > 0)
      add('x-kubernetes-list-map-keys needs x-kubernetes-list-type: map. listMap(...) gives both.')
    return
  }
  if (!['atomic', 'set', 'map'].includes(listType)) {
    add(`x-kubernetes-list-type is atomic, set or map, not ${JSON.stringify(listType)}.`)
  }
  if (schema.type !== 'array')
    add('Only a list can have x-kubernetes-list-type. Leave it out, or use an array.')
  if (keys.length > 0 && listType !== 'map') add('Only a list of type map has keys. Use listMap(...).')
  if (listType !== 'atomic' && schema.items?.nullable === true) {
    add(`The items of a ${listType} cannot be null. Make them not nullable.`)
  }
  if (listType === 'set') checkSet(schema.items, add)
  if (listType === 'map') checkMap(schema.items, keys, add)
}

function checkMapType(schema: StructuralSchema, add: AddProblem): void {
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined) return
  if (schema.type !== 'object') add('Only an object can have x-kubernetes-map-type. Leave it out.')
  if (!['atomic', 'granular'].includes(mapType)) {
    add(`x-kubernetes-map-type is atomic or granular, not ${JSON.stringify(mapType)}.`)
  }
}

function checkSet(items: StructuralSchema | undefined, add: AddProblem): void {
  const isMutableList = items?.type === 'array' && (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic'
  const isMutableObject = items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
  if (isMutableList || isMutableObject) {
    add(
      'The items of a set are scalars or atomic. Mark the item with atomic(), or use listMap(...) with a key.',
    )
  }
}

function checkMap(items: StructuralSchema | undefined, keys: readonly string[], add: AddProblem): void {
  if (keys.length === 0) add('A list of type map needs keys. Use listMap("name").')
  if (new Set(keys).size < keys.length)
    add('The keys of a list of type map are all different. Remove the repetition.')
  if (items?.type !== 'object') {
    add('The items of a list of type map are objects. Use listSet() for scalars.')
    return
  }
  for (const key of keys) {
    const field =
      items.properties !== undefined && Object.hasOwn(items.properties, key)
        ? items.properties[key]
        : undefined
    if (field === undefined) {
      add(`The key "${key}" is not a field of the items. Add the field, or correct the key.`)
      continue
    }
    if (field.type === 'array' || field.type === 'object') add(`The key "${key}" must be a scalar.`)
    if (field.nullable === true) add(`The key "${key}" cannot be null. Make it not nullable.`)
    if (items.required?.includes(key) !== true && field.default === undefined) {
      add(`The key "${key}" may be absent. Make it required, or give it a default.`)
    }
  }
}
