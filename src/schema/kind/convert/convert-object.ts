import { copyNumbers } from './convert-scalar.js'
import type { Converter, Draft, Typed } from './converter.js'
import { isJsonSchema, type JsonSchema, listedValues } from './json-schema.js'

/** Adds the keywords for objects: those with named fields, and maps. */
export function convertObject({ schema, path }: Typed, draft: Draft, converter: Converter): void {
  copyNumbers(schema, draft, ['minProperties', 'maxProperties'])
  const properties = Object.entries(isJsonSchema(schema['properties']) ? schema['properties'] : {})
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : []
  if (required.length > 0) draft.required = required
  if (properties.length > 0) {
    draft.properties = Object.fromEntries(
      properties.map(([name, child]) => [name, converter.convert(child, `${path}.${name}`)]),
    )
  }
  const others = schema['additionalProperties']
  // A strict object needs nothing: what the schema does not name, the API server drops.
  if (others === undefined || others === false) return
  if (others === true || (isJsonSchema(others) && Object.keys(others).length === 0)) {
    convertOpenObject({ schema, path }, draft, converter)
  } else if (properties.length > 0) {
    converter.problems.add(
      path,
      'An object has either named fields or free keys in Kubernetes. Move the free keys into a field of their own: values: z.record(z.string(), ...).',
    )
  } else convertMap({ schema, path }, draft, converter)
}

function convertOpenObject({ schema, path }: Typed, draft: Draft, converter: Converter): void {
  const isRecord = schema['propertyNames'] !== undefined
  if (isRecord && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    converter.problems.add(
      `${path}[*]`,
      'The type of the values is not known. Name it, or keep them all as they are with .meta(preserveUnknownFields()).',
    )
  }
  draft['x-kubernetes-preserve-unknown-fields'] = true
}

function convertMap({ schema, path }: Typed, draft: Draft, converter: Converter): void {
  const keys = isJsonSchema(schema['propertyNames']) ? schema['propertyNames'] : {}
  const names = listedValues(keys)
  const values = schema['additionalProperties']
  if (names?.every((name) => typeof name === 'string') === true) {
    // A record over known keys is an object with these fields.
    draft.properties = Object.fromEntries(
      names.map((name) => [name, converter.convert(values, `${path}.${name}`)]),
    )
    return
  }
  if (hasKeyRules(keys)) {
    const pattern = typeof keys['pattern'] === 'string' ? keys['pattern'] : '^...$'
    converter.problems.add(
      path,
      `The keys of a map are plain strings, without further rules. Use z.record(z.string(), ...) and a CEL rule: .meta(cel("self.all(key, key.matches(r'${pattern}'))")).`,
    )
  }
  draft.additionalProperties = converter.convert(values, `${path}[*]`)
}

function hasKeyRules(keys: JsonSchema): boolean {
  return Object.keys(keys).some((keyword) => keyword !== 'type') || (keys['type'] ?? 'string') !== 'string'
}

/** Adds the keywords for lists. */
export function convertArray({ schema, path }: Typed, draft: Draft, converter: Converter): void {
  copyNumbers(schema, draft, ['minItems', 'maxItems'])
  const { items } = schema
  if (schema['prefixItems'] !== undefined || Array.isArray(items)) {
    converter.problems.add(
      path,
      'A tuple cannot be described to the API server. Use an object with a named field for each position.',
    )
    draft.items = { 'x-kubernetes-preserve-unknown-fields': true }
    return
  }
  if (schema['uniqueItems'] === true) {
    converter.problems.add(
      path,
      'The API server does not check uniqueItems. Mark the list as a set: .meta(listSet()).',
    )
  }
  draft.items = converter.convert(items ?? {}, `${path}[]`)
}
