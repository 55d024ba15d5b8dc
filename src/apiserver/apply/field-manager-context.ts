import { isPlainObject } from '../../base/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { type TypedSchema, typedSchemaOf } from './typed-schema.js'
import type { TypedObject } from './updater.js'
import { describeObject, TypedValueError, validateTyped } from './validate.js'

/** Who writes, as what, and what there is to know about the kind. */
export interface FieldManagerContext {
  /** Who is written down as the owner of fields. */
  readonly manager: string
  /** Of the objects as they are given. */
  readonly apiVersion: string
  /** What may be applied here. */
  readonly kind: string
  /** Empty for the object itself. */
  readonly subresource: string
  /** RFC 3339 in whole seconds, for entries that change. */
  readonly timestamp: string
  /** Of the kind, in a version. Undefined for versions that are not served. */
  schemaOf(apiVersion: string): ApiSchema | undefined
  convert(object: StoredApiObject, apiVersion: string): Promise<StoredApiObject>
  /** Fields that nobody comes to own through this path: the status, for the object itself. */
  readonly resetFields: readonly (readonly string[])[]
  /** Why what comes out of an apply that changes something cannot be used, in the server's words. */
  readonly unusable?: string
}

/** The stored object in the version of the request, without its managedFields: nobody owns those. */
export async function liveObject(live: StoredApiObject, context: FieldManagerContext): Promise<TypedObject> {
  const { apiVersion } = context
  const versioned = live.apiVersion === apiVersion ? live : await context.convert(live, apiVersion)
  const { managedFields: _, ...metadata } = versioned.metadata
  const value = { ...versioned, metadata }
  const schema = typedSchemaOf(context.schemaOf(apiVersion))
  if (validated.get(versioned) === schema) return { value, apiVersion, schema }
  const typed = typedObject(value, context, { name: 'live object', allowsDuplicates: true })
  if (Object.isFrozen(versioned)) validated.set(versioned, schema)
  return typed
}

// A stored object never changes: it is looked at once, however often it is written to.
const validated = new WeakMap<StoredApiObject, TypedSchema>()

interface Expectation {
  /** What errors call it. */
  readonly name: string
  readonly allowsDuplicates: boolean
}

/** Throws {@link TypedValueError} if the value does not fit the schema of the request's version. */
export function typedObject(
  value: unknown,
  context: FieldManagerContext,
  { name, allowsDuplicates }: Expectation,
): TypedObject {
  const { apiVersion } = context
  const schema = typedSchemaOf(context.schemaOf(apiVersion))
  try {
    validateTyped(value, schema, allowsDuplicates)
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error
    throw new TypedValueError(`failed to create typed ${name} (${describeObject(value)}): ${error.message}`)
  }
  return { value, apiVersion, schema }
}

/**
 * True for a managedFields list by which a client asks to forget all managers: empty, or with one empty entry. Custom
 * resources lose an empty list when they are decoded: there, it says nothing.
 */
export function isReset(managedFields: unknown, isCustom: boolean): boolean {
  if (!Array.isArray(managedFields) || managedFields.length > 1) return false
  if (managedFields.length === 0) return !isCustom
  const entry: unknown = managedFields[0]
  return isPlainObject(entry) && Object.values(entry).every((value) => value === '' || value === null)
}
