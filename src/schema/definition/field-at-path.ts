import { FieldPathError, resolveFieldPath } from '../cel/kubernetes/field-path.js'
import { schemaNode } from '../cel/kubernetes/schema-node.js'
import type { StructuralSchema } from '../structural-schema.js'
import type { SchemaProps } from './schema-props.js'

/** The schema of the field that a path of names (`.spec.color`) leads to, or why it leads nowhere. */
export function fieldAtPath(
  jsonPath: string,
  schema: SchemaProps,
): { readonly path: string; readonly schema: StructuralSchema } | { readonly problem: string } {
  try {
    // Only properties, items and additionalProperties are followed, which both have in common.
    const root = schemaNode(schema as StructuralSchema)
    const { path, node } = resolveFieldPath(jsonPath, root, { allowsBrackets: false })
    return { path, schema: node.schema }
  } catch (error) {
    if (error instanceof FieldPathError) return { problem: error.message }
    throw error
  }
}
