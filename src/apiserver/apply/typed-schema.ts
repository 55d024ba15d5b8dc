import { getOwn } from '../../base/index.js'
import type { ApiSchema } from '../api-schema.js'
import { objectMetaSchema } from './object-meta-schema.js'

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped'

/** What ownership needs to know of a type: which shapes its values may have, and how the parts of each belong together. */
export interface TypedSchema {
  readonly scalar: Scalar | undefined
  readonly list: TypedList | undefined
  readonly map: TypedMap | undefined
}

export interface TypedList {
  /** Whether the items are owned one by one, by key or by value. Otherwise the list is one thing. */
  readonly isAssociative: boolean
  /** Empty for a set of scalars. */
  readonly keys: readonly string[]
  /** The value of a key field that an item leaves out; undefined where there is none. */
  keyDefault(key: string): unknown
  readonly items: TypedSchema
}

export interface TypedMap {
  /** Whether the map is one thing that one manager owns. */
  readonly isAtomic: boolean
  /** Whether nothing at all is declared about the members. */
  readonly isFreeForm: boolean
  /** The type of a declared field. */
  field(name: string): TypedSchema | undefined
  /** The type of the other members; undefined where there may be none. */
  readonly others: TypedSchema | undefined
}

/** A value of any type whose lists and maps are one thing each. */
export const untyped: TypedSchema = {
  scalar: 'untyped',
  list: {
    isAssociative: false,
    keys: [],
    keyDefault: () => undefined,
    get items() {
      return untyped
    },
  },
  map: {
    isAtomic: true,
    isFreeForm: true,
    field: () => undefined,
    get others() {
      return untyped
    },
  },
}

/** A value of any type whose maps are owned member by member and whose lists are one thing each. */
export const deduced: TypedSchema = {
  scalar: 'untyped',
  list: { isAssociative: false, keys: [], keyDefault: () => undefined, items: untyped },
  map: {
    isAtomic: false,
    isFreeForm: true,
    field: () => undefined,
    get others() {
      return deduced
    },
  },
}

// Compiled on the first use and kept as long as their schema: they are a pure function of it.
const roots = new WeakMap<ApiSchema, TypedSchema>()
const strict = new WeakMap<ApiSchema, TypedSchema>()
const preserving = new WeakMap<ApiSchema, TypedSchema>()

/** The type of whole objects of a kind. Without a schema, everything is deduced from the values. */
export function typedSchemaOf(schema: ApiSchema | undefined): TypedSchema {
  if (schema === undefined) return deduced
  let typed = roots.get(schema)
  if (typed === undefined) {
    // A custom resource has the metadata that everything has, whatever its own schema says of them.
    typed = schema.goType === undefined ? build(withObjectFields(schema), false) : compile(schema, false)
    roots.set(schema, typed)
  }
  return typed
}

function compile(schema: ApiSchema, preservesUnknown: boolean): TypedSchema {
  const cache = preservesUnknown ? preserving : strict
  let typed = cache.get(schema)
  if (typed === undefined) {
    typed = build(
      schema['x-kubernetes-embedded-resource'] === true ? withObjectFields(schema) : schema,
      preservesUnknown,
    )
    cache.set(schema, typed)
  }
  return typed
}

function withObjectFields(schema: ApiSchema): ApiSchema {
  const text: ApiSchema = { type: 'string' }
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema },
  }
}

function build(schema: ApiSchema, preservedAbove: boolean): TypedSchema {
  if (schema.goType === 'RawExtension') return untyped
  const preservesUnknown = preservedAbove || schema['x-kubernetes-preserve-unknown-fields'] === true
  switch (schema.type) {
    case 'object':
      return { scalar: undefined, list: undefined, map: buildMap(schema, preservesUnknown) }
    case 'array':
      return { scalar: undefined, list: buildList(schema, preservesUnknown), map: undefined }
    case 'integer':
    case 'number':
      return { scalar: 'numeric', list: undefined, map: undefined }
    case 'boolean':
      return { scalar: 'boolean', list: undefined, map: undefined }
    case 'string': {
      const isPlain = schema.format === undefined || schema.format === '' || schema.format === 'byte'
      return { scalar: isPlain ? 'string' : 'untyped', list: undefined, map: undefined }
    }
    default:
      return {
        scalar: 'untyped',
        list: buildList(schema, preservesUnknown),
        map: buildMap(schema, preservesUnknown),
      }
  }
}

function buildMap(schema: ApiSchema, preservesUnknown: boolean): TypedMap {
  const { properties, additionalProperties } = schema
  const fields = new Map<string, TypedSchema>()
  const hasFields = properties !== undefined && Object.keys(properties).length > 0
  return {
    isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
    get isFreeForm() {
      return !hasFields && this.others !== undefined && this.others.scalar === 'untyped'
    },
    field(name) {
      if (!hasFields) return undefined
      const known = fields.get(name)
      if (known !== undefined) return known
      const property = ownProperty(properties, name)
      if (property === undefined) return undefined
      const typed = compile(property, preservesUnknown)
      fields.set(name, typed)
      return typed
    },
    get others() {
      if (additionalProperties === undefined) return preservesUnknown || !hasFields ? deduced : undefined
      if (typeof additionalProperties === 'object') return compile(additionalProperties, preservesUnknown)
      return additionalProperties ? deduced : undefined
    },
  }
}

function buildList(schema: ApiSchema, preservesUnknown: boolean): TypedList {
  const { items } = schema
  const keys = listKeys(schema)
  return {
    isAssociative: keys !== undefined,
    keys: keys ?? [],
    keyDefault: (key) => ownProperty(items?.properties, key)?.default,
    get items() {
      return items === undefined ? untyped : compile(items, preservesUnknown)
    },
  }
}

/** The keys of an associative list, none for a set; undefined for a list that is one thing. */
function listKeys(schema: ApiSchema): readonly string[] | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return []
    case 'map':
      return schema['x-kubernetes-list-map-keys'] ?? []
    case 'atomic':
      return undefined
    case undefined: {
      const strategy = schema['x-kubernetes-patch-strategy']
      if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return undefined
      const key = schema['x-kubernetes-patch-merge-key']
      return key === undefined ? [] : [key]
    }
  }
}

function ownProperty(
  properties: Readonly<Record<string, ApiSchema>> | undefined,
  name: string,
): ApiSchema | undefined {
  // An own member of a record of schemas is a schema.
  return properties === undefined ? undefined : (getOwn(properties, name) as ApiSchema | undefined)
}
