import { isPlainObject, setOwn } from '../../base/index.js'
import { guardDepth } from './depth.js'
import type { SchemaNode } from './schema-node.js'

/** The value with the defaults of the schema in place of what is absent, as a copy. */
export function withDefaults(node: SchemaNode | undefined, value: unknown, depth = 0): unknown {
  guardDepth(depth)
  if (Array.isArray(value)) {
    return value.map((item) => withDefaults(node?.items, replaceNull(node?.items, item), depth + 1))
  }
  if (!isPlainObject(value)) return value
  const result: Record<string, unknown> = {}
  const other = typeof node?.additional === 'object' ? node.additional : undefined
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const child = node?.properties.get(key)
    // A property without a default keeps its null: pruning and validation judge it.
    const given = child === undefined ? replaceNull(other, member) : replaceNull(child, member)
    setOwn(result, key, withDefaults(child ?? other, given, depth + 1))
  }
  if (node === undefined) return result
  for (const [key, child] of node.properties) {
    if (child.default === undefined || Object.hasOwn(result, key)) continue
    setOwn(result, key, withDefaults(child, child.default, depth + 1))
  }
  return result
}

function replaceNull(node: SchemaNode | undefined, value: unknown): unknown {
  return value === null && node !== undefined && !node.nullable && node.default !== undefined
    ? node.default
    : value
}
