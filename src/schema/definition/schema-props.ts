import { getOwn, isPlainObject, setOwn } from '../../base/index.js'
import type { StructuralSchema, ValidationRule } from '../structural-schema.js'
import { guardDepth } from '../validator/depth.js'

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

/** How a keyword is kept: Go leaves out what is empty, unless it keeps a pointer to it. */
type Keeping = 'if-filled' | 'always' | 'schema' | 'schemas' | 'schema-map' | 'rules'

const keywords: Readonly<Record<keyof SchemaProps, Keeping>> = {
  id: 'if-filled',
  $schema: 'if-filled',
  $ref: 'always',
  description: 'if-filled',
  type: 'if-filled',
  format: 'if-filled',
  title: 'if-filled',
  default: 'always',
  maximum: 'always',
  exclusiveMaximum: 'if-filled',
  minimum: 'always',
  exclusiveMinimum: 'if-filled',
  maxLength: 'always',
  minLength: 'always',
  pattern: 'if-filled',
  maxItems: 'always',
  minItems: 'always',
  uniqueItems: 'if-filled',
  multipleOf: 'always',
  enum: 'if-filled',
  maxProperties: 'always',
  minProperties: 'always',
  required: 'if-filled',
  items: 'schema',
  allOf: 'schemas',
  oneOf: 'schemas',
  anyOf: 'schemas',
  not: 'schema',
  properties: 'schema-map',
  additionalProperties: 'schema',
  patternProperties: 'schema-map',
  dependencies: 'schema-map',
  additionalItems: 'schema',
  definitions: 'schema-map',
  externalDocs: 'always',
  example: 'always',
  nullable: 'if-filled',
  'x-kubernetes-preserve-unknown-fields': 'always',
  'x-kubernetes-embedded-resource': 'if-filled',
  'x-kubernetes-int-or-string': 'if-filled',
  'x-kubernetes-list-map-keys': 'if-filled',
  'x-kubernetes-list-type': 'always',
  'x-kubernetes-map-type': 'always',
  'x-kubernetes-validations': 'rules',
}

/**
 * A decoded schema in the form that the server stores and returns: without keywords that it does not know, without
 * what is empty or null. A copy down to defaults, enums and examples, which are shared.
 */
export function normalizeSchema(schema: unknown, depth = 0): SchemaProps {
  guardDepth(depth)
  const result: Record<string, unknown> = {}
  if (!isPlainObject(schema)) return result
  const inner = (value: unknown): unknown =>
    isPlainObject(value) ? normalizeSchema(value, depth + 1) : value
  for (const [keyword, keeping] of Object.entries(keywords)) {
    const value = getOwn(schema, keyword)
    if (value === undefined || value === null) continue
    const kept = keep(keeping, value, inner)
    if (kept !== undefined) result[keyword] = kept
  }
  return result
}

function keep(keeping: Keeping, value: unknown, inner: (value: unknown) => unknown): unknown {
  switch (keeping) {
    case 'always':
      return value
    case 'if-filled':
      return isFilled(value) ? value : undefined
    case 'schema':
      return Array.isArray(value) ? value.map(inner) : inner(value)
    case 'schemas':
      return Array.isArray(value) && value.length > 0 ? value.map(inner) : undefined
    case 'schema-map': {
      const entries = isPlainObject(value) ? Object.entries(value) : []
      const map: Record<string, unknown> = {}
      for (const [key, member] of entries) setOwn(map, key, inner(member))
      return entries.length > 0 ? map : undefined
    }
    case 'rules':
      return Array.isArray(value) && value.length > 0 ? value.map(normalizeRule) : undefined
  }
}

function isFilled(value: unknown): boolean {
  return value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
}

function normalizeRule(rule: unknown): RuleProps {
  const given = isPlainObject(rule) ? rule : {}
  const text = (key: string): string => {
    const value = getOwn(given, key)
    return typeof value === 'string' ? value : ''
  }
  const texts = Object.fromEntries(
    ['message', 'messageExpression', 'fieldPath'].flatMap((key) =>
      text(key) === '' ? [] : [[key, text(key)]],
    ),
  )
  const reason = getOwn(given, 'reason')
  const optionalOldSelf = getOwn(given, 'optionalOldSelf')
  return {
    rule: text('rule'),
    ...texts,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof optionalOldSelf === 'boolean' && { optionalOldSelf }),
  }
}
