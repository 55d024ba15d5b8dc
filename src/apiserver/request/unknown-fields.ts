import { isPlainObject } from '../../base/index.js'
import { compareCodePoints } from '../../schema/internal.js'
import type { ApiSchema } from '../api-schema.js'
import type { JsonSource } from './json-source.js'

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

const metadataFields: ReadonlySet<string> = new Set([
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generateName',
  'generation',
  'labels',
  'managedFields',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
])

interface Visit {
  readonly value: unknown
  readonly schema: ApiSchema | undefined
  readonly path: string
  /** A whole object: its type and metadata are known, whatever the schema says. */
  readonly isObject: boolean
  /** Inside a list that keeps what it does not know. */
  readonly keepsUnknown: boolean
}

/**
 * The fields of a custom resource that its schema does not know and that will be pruned: first those of its metadata,
 * then all others, sorted.
 */
export function unknownFields(object: unknown, schema: ApiSchema): readonly string[] {
  const found: string[] = []
  const inMetadata: string[] = []
  const visits: Visit[] = [{ value: object, schema, path: '', isObject: true, keepsUnknown: false }]
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { value, path } = visit
    const keepsUnknown = visit.keepsUnknown || visit.schema?.['x-kubernetes-preserve-unknown-fields'] === true
    if (Array.isArray(value)) {
      const items = visit.schema?.items
      if (keepsUnknown && items === undefined) continue
      for (const [index, item] of value.entries())
        visits.push({
          value: item,
          schema: items,
          path: `${path}[${index}]`,
          isObject: items?.['x-kubernetes-embedded-resource'] === true,
          keepsUnknown,
        })
    } else if (isPlainObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const at = path === '' ? key : `${path}.${key}`
        if (visit.isObject && typeFields.has(key)) {
          if (key === 'metadata') inMetadata.push(...unknownMetadata(member, at))
          continue
        }
        const child = childOf(visit.schema, key)
        if (child === undefined) {
          if (!keepsUnknown) found.push(at)
          continue
        }
        visits.push({
          value: member,
          schema: child,
          path: at,
          isObject: child['x-kubernetes-embedded-resource'] === true,
          keepsUnknown: false,
        })
      }
    }
  }
  return [...inMetadata.sort(compareCodePoints), ...found.sort(compareCodePoints)]
}

function childOf(schema: ApiSchema | undefined, key: string): ApiSchema | undefined {
  const { properties, additionalProperties } = schema ?? {}
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key]
  if (typeof additionalProperties === 'object') return additionalProperties
  // Any value may stand there, but nothing is known of what is in it.
  return additionalProperties === true ? {} : undefined
}

function unknownMetadata(metadata: unknown, path: string): string[] {
  if (!isPlainObject(metadata)) return []
  return Object.keys(metadata)
    .filter((key) => !metadataFields.has(key))
    .map((key) => `${path}.${key}`)
}

/** Where keys are repeated, in the order of the text. */
export function repeatedFields({ value, repeatedKeys }: JsonSource): readonly string[] {
  if (repeatedKeys.size === 0) return []
  const found: string[] = []
  const visits: { readonly value: unknown; readonly path: string }[] = [{ value, path: '' }]
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { value: current, path } = visit
    if (Array.isArray(current)) {
      for (let index = current.length - 1; index >= 0; index--)
        visits.push({ value: current[index], path: `${path}[${index}]` })
    } else if (isPlainObject(current)) {
      const at = (key: string): string => (path === '' ? key : `${path}.${key}`)
      const seen = new Set<string>()
      for (const key of repeatedKeys.get(current) ?? []) {
        if (seen.has(key)) found.push(at(key))
        seen.add(key)
      }
      for (const key of Object.keys(current).reverse()) visits.push({ value: current[key], path: at(key) })
    }
  }
  return found
}
