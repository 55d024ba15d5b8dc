import { getOwn, isPlainObject, setOwn } from '../../base/index.js'

/** A schema as it came from outside (OpenAPI v3 or a CRD): nothing is known about a field until it was asked for. */
export type Schema = Readonly<Record<string, unknown>>

/** The schema under a key; undefined when there is none, or something else. */
export function schemaAt(schema: Schema, key: string): Schema | undefined {
  const value = getOwn(schema, key)
  return isPlainObject(value) ? value : undefined
}

/** The text under a key; undefined when there is none, or something else. */
export function textAt(schema: Schema, key: string): string | undefined {
  const value = getOwn(schema, key)
  return typeof value === 'string' ? value : undefined
}

/** The list under a key; empty when there is none, or something else. */
export function listAt(schema: Schema, key: string): readonly unknown[] {
  const value = getOwn(schema, key)
  return Array.isArray(value) ? value : []
}

/** The schemas in the list under a key. */
export function schemasAt(schema: Schema, key: string): readonly Schema[] {
  return listAt(schema, key).filter(isPlainObject)
}

export function isTrue(schema: Schema, key: string): boolean {
  return getOwn(schema, key) === true
}

/**
 * The fields of an object schema, sorted: the API server sorts them, authors do not, and both must give one output.
 * A field whose schema is no object may hold anything.
 */
export function propertiesOf(schema: Schema): readonly (readonly [name: string, schema: Schema])[] {
  const properties = schemaAt(schema, 'properties') ?? {}
  return Object.keys(properties)
    .toSorted()
    .map((name) => [name, schemaAt(properties, name) ?? {}] as const)
}

/** An object schema without some of its fields. */
export function withoutProperties(schema: Schema, names: ReadonlySet<string>): Schema {
  const kept = propertiesOf(schema).filter(([name]) => !names.has(name))
  const properties: Record<string, unknown> = {}
  for (const [name, property] of kept) setOwn(properties, name, property)
  return { ...schema, properties }
}

/** The schema that a node only points at: a bare `$ref`, or the `allOf` of one `$ref` that carries a description. */
export function referenceOf(schema: Schema): string | undefined {
  const direct = textAt(schema, '$ref')
  if (direct !== undefined) return direct
  const [only, ...others] = schemasAt(schema, 'allOf')
  return only !== undefined && others.length === 0 ? textAt(only, '$ref') : undefined
}
