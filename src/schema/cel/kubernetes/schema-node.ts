import type { StructuralSchema } from '../../structural-schema.js'
import { escapeName } from './escaping.js'

/** A schema prepared for rules: what is read at every evaluation is looked up once. */
export interface SchemaNode {
  readonly schema: StructuralSchema
  /** Empty where the schema names none. */
  readonly type: StructuralSchema['type'] | ''
  /** Present when the schema declares at least one property. */
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined
  readonly additional: SchemaNode | undefined
  readonly items: SchemaNode | undefined
  /** The keys of a list of type `map`, under the names that the server looks them up by. */
  readonly escapedKeys: readonly string[]
  readonly isEmbedded: boolean
  /** The node with `apiVersion`, `kind`, `metadata.name` and `metadata.generateName`, as roots of resources have it. */
  asResource(): SchemaNode
}

/** Prepares a schema and everything below it. */
export function schemaNode(schema: StructuralSchema): SchemaNode {
  const declared = Object.entries(schema.properties ?? {})
  const additional = schema.additionalProperties
  return makeNode(schema, {
    properties:
      declared.length === 0 ? undefined : new Map(declared.map(([name, each]) => [name, schemaNode(each)])),
    additional: typeof additional === 'object' ? schemaNode(additional) : undefined,
    items: schema.items === undefined ? undefined : schemaNode(schema.items),
  })
}

function makeNode(
  schema: StructuralSchema,
  below: Pick<SchemaNode, 'properties' | 'additional' | 'items'>,
): SchemaNode {
  let resource: SchemaNode | undefined
  const node: SchemaNode = {
    schema,
    type: schema.type ?? '',
    ...below,
    escapedKeys: (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key),
    isEmbedded: schema['x-kubernetes-embedded-resource'] === true,
    asResource: () => (resource ??= withResourceFields(node)),
  }
  return node
}

function withResourceFields(node: SchemaNode): SchemaNode {
  const metadata = node.properties?.get('metadata')
  const isString = (of: SchemaNode | undefined, name: string): boolean =>
    of?.properties?.get(name)?.type === 'string'
  const complete =
    isString(node, 'kind') &&
    isString(node, 'apiVersion') &&
    metadata?.type === 'object' &&
    isString(metadata, 'name') &&
    isString(metadata, 'generateName')
  if (complete) return node
  const text = schemaNode({ type: 'string' })
  const names = schemaNode({
    type: 'object',
    properties: { name: { type: 'string' }, generateName: { type: 'string' } },
  })
  return makeNode(node.schema, {
    properties: new Map([
      ...(node.properties ?? []),
      ['kind', text],
      ['apiVersion', text],
      ['metadata', names],
    ]),
    additional: node.additional,
    items: undefined,
  })
}
