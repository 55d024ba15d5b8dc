import { emptySet, type FieldNode, type FieldSet, leaf } from './field-set.js'
import { fieldNameOf, type PathElement } from './path-element.js'
import type { TypedSchema } from './typed-schema.js'

/**
 * The set as today's schema has it: where a list or map has become one thing since the set was written down, whoever
 * owned something in it owns all of it.
 */
export function fitToSchema(set: FieldSet, schema: TypedSchema): FieldSet {
  let result: Map<PathElement, FieldNode> | undefined
  for (const [element, node] of set) {
    const type = typeBelow(schema, element)
    const fitted = type === undefined ? node : fitNode(node, type)
    if (fitted === node) continue
    result ??= new Map(set)
    result.set(element, fitted)
  }
  return result ?? set
}

function fitNode(node: FieldNode, schema: TypedSchema): FieldNode {
  if (node.children === undefined) return node
  const { map, list } = schema
  if (map !== undefined) {
    if (map.isFreeForm) return node
    if (map.isAtomic) return leaf
  } else if (schema.scalar !== undefined) {
    return node
  } else if (list !== undefined && !list.isAssociative) {
    return leaf
  }
  const children = fitToSchema(node.children, schema)
  return children === node.children ? node : { isMember: node.isMember, children }
}

/**
 * The set with the declared fields that lead to its members: a structure belongs to those who own something in it, and
 * goes when they let go; a map does not.
 */
export function withNamedFields(set: FieldSet, schema: TypedSchema | undefined): FieldSet {
  const result = new Map<PathElement, FieldNode>()
  for (const [element, node] of set) {
    if (node.children === undefined) {
      result.set(element, node)
      continue
    }
    const name = fieldNameOf(element)
    const isNamed = name !== undefined && schema?.map?.field(name) !== undefined
    const type = schema === undefined ? undefined : typeBelow(schema, element)
    result.set(element, {
      isMember: node.isMember || isNamed,
      children: withNamedFields(node.children ?? emptySet, type),
    })
  }
  return result
}

/** The type that an element steps to. */
function typeBelow(schema: TypedSchema, element: PathElement): TypedSchema | undefined {
  const name = fieldNameOf(element)
  if (name === undefined) return schema.list?.items ?? schema.map?.others
  return schema.map?.field(name) ?? schema.map?.others
}
