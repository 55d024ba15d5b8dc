import { isPlainObject, setOwn } from '../../base/index.js'
import type { FieldError } from '../field-error.js'
import { guardDepth } from './depth.js'
import { childPath, duplicate, invalid } from './field-errors.js'
import { goJson } from './go-text.js'
import type { SchemaNode } from './schema-node.js'

/** Repeated items in lists that are sets, repeated keys in lists that are maps. */
export function listTypeErrors(node: SchemaNode, value: unknown, path = '', depth = 0): FieldError[] {
  if (!node.hasListTypes) return []
  guardDepth(depth)
  if (Array.isArray(value)) return arrayErrors(node, value, path, depth)
  if (!isPlainObject(value)) return []
  const errors: FieldError[] = []
  const { additional, properties } = node
  if (typeof additional === 'object') {
    for (const [key, member] of Object.entries(value)) {
      errors.push(...listTypeErrors(additional, member, `${path}[${key}]`, depth + 1))
    }
  }
  for (const [key, member] of Object.entries(value)) {
    const child = properties.get(key)
    if (child !== undefined) errors.push(...listTypeErrors(child, member, childPath(path, key), depth + 1))
  }
  return errors
}

function arrayErrors(node: SchemaNode, items: readonly unknown[], path: string, depth: number): FieldError[] {
  const errors: FieldError[] = []
  if (node.listType === 'set') {
    for (const index of repeatedAt(items)) errors.push(duplicate(`${path}[${index}]`, items[index]))
  } else if (node.listType === 'map') {
    errors.push(...mapErrors(node.listMapKeys, items, path))
  }
  if (node.items !== undefined) {
    for (const [index, item] of items.entries()) {
      errors.push(...listTypeErrors(node.items, item, `${path}[${index}]`, depth + 1))
    }
  }
  return errors
}

function mapErrors(keyNames: readonly string[], items: readonly unknown[], path: string): FieldError[] {
  const strange = items.findIndex((item) => item !== null && item !== undefined && !isPlainObject(item))
  if (strange !== -1) {
    return [invalid(`${path}[${strange}]`, items[strange], 'must be an object for an array of list-type map')]
  }
  const [onlyKey] = keyNames
  const keys =
    keyNames.length === 1 && onlyKey !== undefined
      ? items.map((item) => keyValue(item, onlyKey))
      : items.map((item) => keysOf(item, keyNames))
  return repeatedAt(keys).map((index) => duplicate(`${path}[${index}]`, keysOf(items[index], keyNames)))
}

// Absent and null are different keys.
const absent = Symbol('absent')

function keyValue(item: unknown, name: string): unknown {
  const value = isPlainObject(item) && Object.hasOwn(item, name) ? item[name] : undefined
  return value === undefined ? absent : value
}

function keysOf(item: unknown, names: readonly string[]): Record<string, unknown> {
  const keys: Record<string, unknown> = {}
  for (const name of names) {
    const value = keyValue(item, name)
    if (value !== absent) setOwn(keys, name, value)
  }
  return keys
}

/** Where a value occurs for the second time. Further repetitions are not mentioned. */
function repeatedAt(items: readonly unknown[]): number[] {
  const repeated: number[] = []
  if (items.length < 2) return repeated
  const times = new Map<unknown, number>()
  for (const [index, item] of items.entries()) {
    // Objects and lists are equal when their JSON is; a scalar is its own identity, and never an object's.
    const identity = typeof item === 'object' && item !== null ? `json ${goJson(item)}` : scalarIdentity(item)
    const seen = times.get(identity) ?? 0
    times.set(identity, seen + 1)
    if (seen === 1) repeated.push(index)
  }
  return repeated
}

function scalarIdentity(value: unknown): unknown {
  return typeof value === 'string' ? `text ${value}` : value
}
