import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listTypeOf,
  mapTypeOf,
  stringType,
  structType,
  timestampType,
} from '../value/type.js'
import { escapeName } from './escaping.js'
import type { SchemaNode } from './schema-node.js'

/**
 * The type that rules see for data of a schema; `undefined` where they see nothing, as with data whose fields are
 * unknown.
 */
export function declaredType(schema: SchemaNode, isResourceRoot: boolean): CelType | undefined {
  if (schema.schema['x-kubernetes-int-or-string'] === true) return dynType
  const node = isResourceRoot ? schema.asResource() : schema
  switch (node.type) {
    case 'array': {
      const items = node.items && declaredType(node.items, node.items.isEmbedded)
      return items && listTypeOf(items)
    }
    case 'object':
      return declaredObject(node)
    case 'string':
      return stringTypes.get(node.schema.format ?? '') ?? stringType
    case 'boolean':
      return boolType
    case 'number':
      return doubleType
    case 'integer':
      return intType
    default:
      return undefined
  }
}

const stringTypes: ReadonlyMap<string, CelType> = new Map([
  ['byte', bytesType],
  ['duration', durationType],
  ['date', timestampType],
  ['date-time', timestampType],
])

function declaredObject(node: SchemaNode): CelType | undefined {
  if (node.additional !== undefined) {
    const values = declaredType(node.additional, node.additional.isEmbedded)
    return values && mapTypeOf(stringType, values)
  }
  const fields = new Map<string, CelType>()
  for (const [property, schema] of node.properties ?? []) {
    const field = escapeName(property)
    if (field === undefined) continue
    const type = declaredType(schema, schema.isEmbedded)
    if (type !== undefined) fields.set(field, type)
  }
  return structType('object', fields)
}

/** The type with its objects called by where they are: `selfType.ports.@idx`. Two of one shape are two types. */
export function nameTypes(type: CelType, name: string): CelType {
  const [first, second] = type.parameters
  if (type.sort === 'list' && first !== undefined) return listTypeOf(nameTypes(first, `${name}.@idx`))
  if (type.sort === 'map' && first !== undefined && second !== undefined)
    return mapTypeOf(first, nameTypes(second, `${name}.@elem`))
  if (type.sort !== 'struct' || type.fields === undefined) return type
  const fields = Array.from(
    type.fields,
    ([field, each]) => [field, nameTypes(each, `${name}.${field}`)] as const,
  )
  return structType(name, new Map(fields))
}
