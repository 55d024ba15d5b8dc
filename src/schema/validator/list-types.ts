import { isPlainObject, setOwn } from '../../base/index.js'
import type { FieldError } from '../field-error.js'
import { childPath, duplicate, invalid } from './field-errors.js'
import { goJson } from './go-text.js'
import type { SchemaNode } from './schema-node.js'

/**
 * Repeated items in lists that are sets, repeated keys in lists that are maps. Walks no deeper than the schema, whose
 * depth was limited when it was compiled.
 */
export function listTypeErrors(node: SchemaNode, value: unknown, path = ''): FieldError[] {
  const errors: FieldError[] = []
  collect(node, value, path, errors)
  return errors
}

function collect(node: SchemaNode, value: unknown, path: string, errors: FieldError[]): void {
  if (!node.hasListTypes) return
  if (Array.isArray(value)) {
    if (node.listType === 'set') {
      for (const index of repeatedAt(value)) errors.push(duplicate(`${path}[${index}]`, value[index]))
    } else if (node.listType === 'map') errors.push(...mapErrors(node.listMapKeys, value, path))
    if (node.items?.hasListTypes !== true) return
    for (const [index, item] of value.entries()) collect(node.items, item, `${path}[${index}]`, errors)
  } else if (isPlainObject(value)) {
    if (typeof node.additional === 'object') {
      for (const key of Object.keys(value)) collect(node.additional, value[key], `${path}[${key}]`, errors)
    }
    for (const field of node.fields) {
      if (!field.node.hasListTypes || !Object.hasOwn(value, field.name)) continue
      collect(field.node, value[field.name], childPath(path, field.name), errors)
    }
  }
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
