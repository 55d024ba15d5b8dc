import { isPlainObject, setOwn } from '../../base/index.js'
import { guardDepth } from './depth.js'
import { coerceMetadata } from './object-meta-type.js'
import type { SchemaNode } from './schema-node.js'

interface PruneOptions {
  /** The value is a whole Kubernetes object: apiVersion, kind and metadata stay, whatever the schema says. */
  readonly isResource: boolean
}

/**
 * The value as the server keeps it on decoding, as a copy: without fields that the schema does not know, without
 * nulls that are neither allowed nor replaced by a default, and with metadata reduced to what ObjectMeta has.
 */
export function pruneValue(node: SchemaNode, value: unknown, options: PruneOptions): unknown {
  const pruned = pruneUnknown(node, value, {
    isEmbedded: options.isResource || node.isEmbedded,
    skip: false,
    depth: 0,
  })
  const withoutNulls = dropNulls(node, pruned, 0)
  const coerced = coerceEmbedded(node, withoutNulls, 0)
  if (options.isResource && isPlainObject(coerced) && Object.hasOwn(coerced, 'metadata')) {
    coerced['metadata'] = coerceMetadata(coerced['metadata'])
  }
  return coerced
}

/** The value without fields that the schema does not know, and with everything else as it is. A copy. */
export function withoutUnknownFields(node: SchemaNode, value: unknown): unknown {
  return pruneUnknown(node, value, { isEmbedded: node.isEmbedded, skip: false, depth: 0 })
}

/** A default as the server uses it: without what its schema does not know. Definitions that pass its checks have none. */
export function pruneDefault(node: SchemaNode, value: unknown): unknown {
  return coerceEmbedded(node, withoutUnknownFields(node, value), 0)
}

const typeFields = new Set(['apiVersion', 'kind', 'metadata'])

interface PruneState {
  readonly isEmbedded: boolean
  /** Inside a list whose schema keeps unknown fields: its items keep them too. */
  readonly skip: boolean
  readonly depth: number
}

function pruneUnknown(node: SchemaNode | undefined, value: unknown, state: PruneState): unknown {
  guardDepth(state.depth)
  const skip = state.skip || node?.preservesUnknown === true
  const depth = state.depth + 1
  if (Array.isArray(value)) {
    // A list keeps unknown fields for its items only where its own schema says so.
    if (skip && node?.items === undefined) return copy(value, depth)
    return value.map((item) =>
      pruneUnknown(node?.items, item, { isEmbedded: node?.items?.isEmbedded === true, skip, depth }),
    )
  }
  if (!isPlainObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const child = node?.properties.get(key)
    if (state.isEmbedded && typeFields.has(key)) setOwn(result, key, copy(member, depth))
    else if (child !== undefined) {
      setOwn(result, key, pruneUnknown(child, member, { isEmbedded: child.isEmbedded, skip: false, depth }))
    } else if (node?.additional !== undefined) {
      const other = typeof node.additional === 'object' ? node.additional : undefined
      setOwn(
        result,
        key,
        pruneUnknown(other, member, { isEmbedded: other?.isEmbedded === true, skip: false, depth }),
      )
    } else if (skip) setOwn(result, key, copy(member, depth))
  }
  return result
}

function copy(value: unknown, depth: number): unknown {
  guardDepth(depth)
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1))
  if (!isPlainObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) setOwn(result, key, copy(member, depth + 1))
  return result
}

/** Works in place: the value is our own copy. */
function dropNulls(node: SchemaNode | undefined, value: unknown, depth: number): unknown {
  guardDepth(depth)
  if (node === undefined) return value
  if (Array.isArray(value)) for (const item of value) dropNulls(node.items, item, depth + 1)
  else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      const other = typeof node.additional === 'object' ? node.additional : undefined
      const child = node.properties.get(key) ?? other
      if (value[key] === null && child !== undefined && !child.nullable && child.default === undefined)
        delete value[key]
      else dropNulls(child, value[key], depth + 1)
    }
  }
  return value
}

/** Works in place: the value is our own copy. */
function coerceEmbedded(node: SchemaNode | undefined, value: unknown, depth: number): unknown {
  if (node === undefined || !node.hasEmbedded) return value
  guardDepth(depth)
  if (Array.isArray(value)) for (const item of value) coerceEmbedded(node.items, item, depth + 1)
  else if (isPlainObject(value)) {
    if (node.isEmbedded && Object.hasOwn(value, 'metadata'))
      value['metadata'] = coerceMetadata(value['metadata'])
    for (const [key, member] of Object.entries(value)) {
      const other = typeof node.additional === 'object' ? node.additional : undefined
      coerceEmbedded(node.properties.get(key) ?? other, member, depth + 1)
    }
  }
  return value
}
