import type { SchemaProps } from '../../schema/internal.js'
import type { ApiSchema } from '../api-schema.js'
import { metaSchemaOf } from '../builtin/schema-of.js'

const apiVersion: ApiSchema = {
  type: 'string',
  description:
    'APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
}

const kind: ApiSchema = {
  type: 'string',
  description:
    'Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
}

const metadataDescription =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"

/**
 * The schema of a version as the server publishes it: every whole object in it, the root and those embedded, has
 * apiVersion, kind and metadata, whatever the CRD says about them.
 */
export function publishedSchema(schema: SchemaProps | undefined): ApiSchema {
  if (schema === undefined)
    return withTypeFields({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })
  // Only structural schemas are ever served, and those are what an ApiSchema can be.
  return withTypeFields(withEmbedded(schema as ApiSchema))
}

function withTypeFields(schema: ApiSchema): ApiSchema {
  const metadata: ApiSchema = { ...metaSchemaOf('ObjectMeta'), description: metadataDescription }
  return { ...schema, properties: { ...schema.properties, apiVersion, kind, metadata } }
}

/** Parts without embedded objects stay as they are. */
function withEmbedded(schema: ApiSchema): ApiSchema {
  const { items, properties, additionalProperties } = schema
  const inside: { -readonly [Key in keyof ApiSchema]: ApiSchema[Key] } = { ...schema }
  let isChanged = false
  if (items !== undefined) {
    inside.items = embeddable(items)
    isChanged ||= inside.items !== items
  }
  if (typeof additionalProperties === 'object') {
    inside.additionalProperties = embeddable(additionalProperties)
    isChanged ||= inside.additionalProperties !== additionalProperties
  }
  if (properties !== undefined) {
    const entries = Object.entries(properties).map(([name, child]) => [name, embeddable(child)] as const)
    isChanged ||= entries.some(([name, child]) => properties[name] !== child)
    inside.properties = Object.fromEntries(entries)
  }
  return isChanged ? inside : schema
}

function embeddable(schema: ApiSchema): ApiSchema {
  const inside = withEmbedded(schema)
  return schema['x-kubernetes-embedded-resource'] === true ? withTypeFields(inside) : inside
}
