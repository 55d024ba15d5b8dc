import type { FieldError } from '../field-error.js'
import { forbidden, invalid, invalidAs, required } from '../validator/field-errors.js'
import { goJson, goQuote } from '../validator/go-text.js'
import { itemsJson } from './internal-form.js'
import { itemsOf, type SchemaProps } from './schema-props.js'

/** What the schemas around say about defaults. */
export interface DefaultRule {
  readonly isAllowed: boolean
  /** Why not: `in top-level metadata`. */
  readonly reason: string
}

export function unsupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  return {
    reason: 'FieldValueNotSupported',
    field: path,
    message: `Unsupported value: ${goJson(value)}: supported values: ${supported.map(goQuote).join(', ')}`,
  }
}

const schemaTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** Keywords of JSON Schema that the server has no use for. */
export function keywordErrors(
  schema: SchemaProps,
  path: string,
  { defaults, isInsideMetadata }: { defaults: DefaultRule; isInsideMetadata: boolean },
): FieldError[] {
  const errors: FieldError[] = []
  const { type = '' } = schema
  const refuse = (keyword: string, detail = `${keyword} is not supported`): void => {
    errors.push(forbidden(`${path}.${keyword}`, detail))
  }
  if (type !== '' && !schemaTypes.includes(type)) errors.push(unsupported(`${path}.type`, type, schemaTypes))
  if (schema.default !== undefined && !defaults.isAllowed)
    refuse('default', defaults.reason === '' ? 'must not be set' : `must not be set ${defaults.reason}`)
  for (const keyword of [
    'id',
    'additionalItems',
    'patternProperties',
    'definitions',
    'dependencies',
    '$ref',
  ] as const)
    if (schema[keyword] !== undefined) refuse(keyword)
  if (type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative')
  if (Array.isArray(schema.items) && schema.items.length > 0)
    refuse('items', 'items must be a schema object and not an array')
  if (isInsideMetadata && schema['x-kubernetes-embedded-resource'] === true)
    refuse('x-kubernetes-embedded-resource', 'must not be used inside of resource meta')
  if (schema.uniqueItems === true)
    refuse('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic')
  const { additionalProperties } = schema
  if (additionalProperties !== undefined && additionalProperties !== true && schema.properties !== undefined)
    refuse('additionalProperties', 'additionalProperties and properties are mutual exclusive')
  return errors
}

/** Whether the `x-kubernetes-` extensions of a schema go together. */
export function extensionErrors(schema: SchemaProps, path: string): FieldError[] {
  const errors: FieldError[] = []
  const open = 'x-kubernetes-preserve-unknown-fields'
  if (schema[open] === false) errors.push(invalid(`${path}.${open}`, false, 'must be true or undefined'))
  errors.push(...mapTypeErrors(schema, path), ...listTypeErrors(schema, path), ...openKeyErrors(schema, path))
  return errors
}

function wrongType(schema: SchemaProps, path: string, detail: string): FieldError {
  const { type = '' } = schema
  return type === '' ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail)
}

function mapTypeErrors(schema: SchemaProps, path: string): FieldError[] {
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined) return []
  const errors: FieldError[] = []
  if (schema.type !== 'object')
    errors.push(wrongType(schema, path, 'must be object if x-kubernetes-map-type is specified'))
  const known = ['atomic', 'granular']
  if (!known.includes(mapType)) errors.push(unsupported(`${path}.x-kubernetes-map-type`, mapType, known))
  return errors
}

function listTypeErrors(schema: SchemaProps, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const errors: FieldError[] = []
  if (listType !== undefined && schema.type !== 'array')
    errors.push(wrongType(schema, path, 'must be array if x-kubernetes-list-type is specified'))
  else if (listType === 'set') errors.push(...setItemErrors(schema, path))
  const known = ['atomic', 'set', 'map']
  if (listType !== undefined && !known.includes(listType))
    errors.push(unsupported(`${path}.x-kubernetes-list-type`, listType, known))
  if (keys.length > 0 && listType !== 'map') {
    const at = `${path}.x-kubernetes-list-type`
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    errors.push(listType === undefined ? required(at, detail) : invalid(at, listType, detail))
  }
  if (listType === 'map') errors.push(...mapListErrors(schema, keys, path))
  return errors
}

const atomicItem = 'must be atomic as item of a list with x-kubernetes-list-type=set'

/** Items of a set are compared as a whole: each must be atomic. */
function setItemErrors(schema: SchemaProps, path: string): FieldError[] {
  const items = itemsOf(schema)
  const listType = items?.['x-kubernetes-list-type']
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(`${path}.items.x-kubernetes-list-type`, listType, atomicItem)]
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    // The server shows the type of the list here, which an object does not have.
    return [invalidAs(`${path}.items.x-kubernetes-map-type`, goJson(listType ?? null), atomicItem)]
  return []
}

function mapListErrors(schema: SchemaProps, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = []
  if (keys.length === 0)
    errors.push(
      required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'),
    )
  if (schema.items === undefined)
    errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'))
  const items = itemsOf(schema)
  if (schema.items !== undefined && items === undefined) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map'
    errors.push(invalidAs(`${path}.items`, itemsJson(schema.items), detail))
  }
  if (items === undefined) return errors
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    return [...errors, invalid(`${path}.items.type`, items.type ?? '', detail)]
  }
  const seen = new Set<string>()
  for (const key of keys) {
    const field =
      items.properties !== undefined && Object.hasOwn(items.properties, key)
        ? items.properties[key]
        : undefined
    if (field?.type === 'array' || field?.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalid(`${path}.items.properties[${key}].type`, items.type, detail))
    }
    const at = `${path}.x-kubernetes-list-map-keys`
    if (field === undefined) errors.push(invalid(at, keys, 'entries must all be names of item properties'))
    if (seen.has(key)) errors.push(invalid(at, keys, 'must not contain duplicate entries'))
    seen.add(key)
  }
  return errors
}

/** A key must always have a value, and so must an item. */
function openKeyErrors(schema: SchemaProps, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const items = itemsOf(schema)
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return []
  const errors: FieldError[] = []
  if (items.nullable === true)
    errors.push(
      forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    )
  if (listType === 'set') return errors
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const field =
      items.properties !== undefined && Object.hasOwn(items.properties, key)
        ? items.properties[key]
        : undefined
    if (field === undefined) continue
    const at = `${path}.items.properties[${key}]`
    const because = 'this property is in x-kubernetes-list-map-keys, so it'
    if (items.required?.includes(key) !== true && field.default === undefined)
      errors.push(required(`${at}.default`, `${because} must have a default or be a required property`))
    if (field.nullable === true) errors.push(forbidden(`${at}.nullable`, `${because} cannot be nullable`))
  }
  return errors
}
