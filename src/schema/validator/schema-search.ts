import type { StructuralSchema } from '../structural-schema.js'
import { guardDepth } from './depth.js'

/** True when the test holds for the schema or for one inside it. */
export function someSchema(
  schema: StructuralSchema,
  test: (schema: StructuralSchema) => boolean,
  depth = 0,
): boolean {
  guardDepth(depth)
  if (test(schema)) return true
  return childSchemas(schema).some((child) => someSchema(child, test, depth + 1))
}

function childSchemas(schema: StructuralSchema): StructuralSchema[] {
  const { items, properties, additionalProperties, not } = schema
  return [
    ...Object.values(properties ?? {}),
    ...[items, not, additionalProperties].filter((child) => typeof child === 'object'),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ]
}
