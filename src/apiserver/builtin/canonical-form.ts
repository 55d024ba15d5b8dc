import { isPlainObject, setOwn } from '../../base/index.js'
import { formatQuantity, parseQuantity } from '../../objects/index.js'
import type { ApiSchema } from '../api-schema.js'
import { canonicalTime } from './canonical-time.js'

/**
 * Deeper values are left as they are. Only JSONSchemaProps contains itself, and no API server accepts one as deep.
 */
const deepest = 1000

/**
 * Brings an object of a built-in kind into the form that it has after the real server read it into its Go types and
 * wrote it again: no unknown fields, empty values as each field has them, quantities and times in their canonical texts.
 * Changes it in place. What has the wrong type, which the decoder refuses, is left as it is.
 *
 * With `keepsLists`, it is only read: an empty list is still another thing than none.
 */
export function applyCanonicalForm(
  schema: ApiSchema,
  object: Record<string, unknown>,
  keepsLists = false,
): void {
  formObject(schema, object, 0, keepsLists)
}

/** The value that the server has where nothing was said: `{}` with the zero values inside, "", 0, false or null. */
export function zeroValue(schema: ApiSchema): unknown {
  if (schema.format === 'quantity') return '0'
  if (schema['x-kubernetes-int-or-string'] === true) return 0
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? null : ''
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'object': {
      if (schema.properties === undefined) return null
      const object = {}
      formObject(schema, object, 0, false)
      return object
    }
    default:
      return null
  }
}

// By the table of fields, which the uses of a definition share. Immutable like the schemas themselves.
const filled = new WeakMap<object, readonly (readonly [string, ApiSchema])[]>()

/** The fields that are written even if nobody set them. */
function filledFields(
  properties: Readonly<Record<string, ApiSchema>>,
): readonly (readonly [string, ApiSchema])[] {
  const known = filled.get(properties)
  if (known !== undefined) return known
  const found = Object.entries(properties).filter(([, { empty }]) => empty === 'zero' || empty === 'null')
  filled.set(properties, found)
  return found
}

function formObject(
  schema: ApiSchema,
  object: Record<string, unknown>,
  depth: number,
  keepsLists: boolean,
): void {
  const { properties } = schema
  if (properties === undefined || depth > deepest) return
  for (const key of Object.keys(object)) {
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (field === undefined) {
      delete object[key]
      continue
    }
    const value = formValue(field, object[key], depth + 1, keepsLists)
    if (!isEmpty(value) || (keepsLists && isNilable(value, field))) object[key] = value
    else setEmpty(object, key, value, field)
  }
  for (const [key, field] of filledFields(properties)) {
    if (!Object.hasOwn(object, key)) setEmpty(object, key, undefined, field)
  }
}

function isNilable(value: unknown, field: ApiSchema): boolean {
  return field.empty === 'null' && Array.isArray(value)
}

function setEmpty(object: Record<string, unknown>, key: string, value: unknown, field: ApiSchema): void {
  const isAbsent = value === null || value === undefined
  if (field.empty === 'zero') object[key] = isAbsent ? zeroValue(field) : value
  else if (field.empty === 'null' && (isAbsent || (typeof value === 'object' && !isStruct(field, value))))
    object[key] = null
  else if (field.empty === 'omit' && !isStruct(field, value)) delete object[key]
  else if (isAbsent) delete object[key]
  else object[key] = value
}

function isStruct(field: ApiSchema, value: unknown): boolean {
  return field.properties !== undefined && value !== null && value !== undefined
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0
}

function formValue(schema: ApiSchema, value: unknown, depth: number, keepsLists: boolean): unknown {
  if (value === null || value === undefined || depth > deepest) return value
  if (Array.isArray(value)) {
    if (schema.items !== undefined) formItems(schema.items, value, depth, keepsLists)
    return value
  }
  if (typeof value === 'object') {
    if (!isPlainObject(value)) return value
    if (schema.properties !== undefined) formObject(schema, value, depth, keepsLists)
    else if (typeof schema.additionalProperties === 'object')
      formMap(schema.additionalProperties, value, depth, keepsLists)
    return value
  }
  return formScalar(schema, value)
}

function formItems(schema: ApiSchema, items: unknown[], depth: number, keepsLists: boolean): void {
  for (let index = 0; index < items.length; index++) {
    const item: unknown = items[index]
    items[index] = item === null ? zeroValue(schema) : formValue(schema, item, depth + 1, keepsLists)
  }
}

function formMap(schema: ApiSchema, map: Record<string, unknown>, depth: number, keepsLists: boolean): void {
  for (const key of Object.keys(map)) {
    const value = map[key]
    const formed = value === null ? zeroValue(schema) : formValue(schema, value, depth + 1, keepsLists)
    if (formed !== value) setOwn(map, key, formed)
  }
}

function formScalar(schema: ApiSchema, value: unknown): unknown {
  switch (schema.format) {
    case 'quantity':
      return typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(value) : value
    case 'date-time':
      return typeof value === 'string' ? canonicalTime(value, schema.goType === 'MicroTime') : value
    case 'byte':
      return typeof value === 'string' && /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]/g, '') : value
    default:
      return value
  }
}

/** Up to three digits and a suffix cannot be written any shorter: what nearly all quantities are. */
const shortest = /^[1-9]\d{0,2}(?:[numkMGTPE]|[KMGTPE]i)?$/

function canonicalQuantity(value: string | number): unknown {
  if (typeof value === 'string' && shortest.test(value)) return value
  try {
    return formatQuantity(parseQuantity(value))
  } catch {
    // Not a quantity: the decoder says so.
    return value
  }
}
