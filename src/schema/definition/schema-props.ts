import type { StructuralSchema, ValidationRule } from '../structural-schema.js'

/** A schema as a CRD may send it (JSONSchemaProps): with all the keywords that are known and then refused. */
export interface SchemaProps
  extends Omit<
    StructuralSchema,
    | 'type'
    | 'items'
    | 'properties'
    | 'additionalProperties'
    | 'allOf'
    | 'anyOf'
    | 'oneOf'
    | 'not'
    | 'x-kubernetes-list-type'
    | 'x-kubernetes-map-type'
    | 'x-kubernetes-validations'
  > {
  readonly type?: string
  readonly id?: string
  readonly $schema?: string
  readonly $ref?: string
  readonly items?: SchemaProps | readonly SchemaProps[]
  readonly properties?: Readonly<Record<string, SchemaProps>>
  readonly additionalProperties?: SchemaProps | boolean
  readonly patternProperties?: Readonly<Record<string, SchemaProps>>
  readonly dependencies?: Readonly<Record<string, SchemaProps | readonly string[]>>
  readonly additionalItems?: SchemaProps | boolean
  readonly definitions?: Readonly<Record<string, SchemaProps>>
  readonly externalDocs?: { readonly description?: string; readonly url?: string }
  readonly allOf?: readonly SchemaProps[]
  readonly anyOf?: readonly SchemaProps[]
  readonly oneOf?: readonly SchemaProps[]
  readonly not?: SchemaProps
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-validations'?: readonly RuleProps[]
}

/** A rule as a CRD may send it. */
export interface RuleProps extends Omit<ValidationRule, 'reason'> {
  readonly reason?: string
}

/** Holds for every place where a single schema may stand below another. */
export function isSchemaList(items: SchemaProps['items']): items is readonly SchemaProps[] {
  return Array.isArray(items)
}

/** The schema of all items, unless there is a list of them. */
export function itemsOf(schema: SchemaProps): SchemaProps | undefined {
  return schema.items === undefined || isSchemaList(schema.items) ? undefined : schema.items
}

/** In the order of keys: the server's own order is random. */
export function propertiesOf(schema: SchemaProps): [string, SchemaProps][] {
  return sortedEntries(schema.properties)
}

export function sortedEntries<T>(map: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(map ?? {}).sort(([left], [right]) => (left < right ? -1 : Number(left > right)))
}

/** Whether any part of the schema has a default. */
export function hasDefaults(schema: SchemaProps): boolean {
  if (schema.default !== undefined) return true
  const { items, additionalProperties } = schema
  const below: (SchemaProps | undefined)[] = [
    ...(isSchemaList(items) ? items : [items]),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    schema.not,
    ...Object.values(schema.properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  return below.some((child) => child !== undefined && hasDefaults(child))
}
