import { deepEqual, getOwn, isPlainObject } from '../../../base/index.js'
import { scalarKey } from './plain-data.js'
import type { SchemaNode } from './schema-node.js'

/** The old elements of a list of type `map` by their keys; of any other list, none. */
export function oldElementsByKey(node: SchemaNode, old: unknown): (element: unknown) => unknown {
  const keys = node.schema['x-kubernetes-list-map-keys'] ?? []
  const isMap = node.type === 'array' && node.schema['x-kubernetes-list-type'] === 'map'
  if (!isMap || keys.length === 0 || !Array.isArray(old)) return () => undefined
  const byKey = new Map<string, unknown>()
  for (const element of old) {
    const key = compositeKey(element, keys)
    if (key !== undefined && !byKey.has(key)) byKey.set(key, element)
  }
  return (element) => {
    const key = compositeKey(element, keys)
    return key === undefined ? undefined : byKey.get(key)
  }
}

function compositeKey(element: unknown, keys: readonly string[]): string | undefined {
  if (!isPlainObject(element)) return undefined
  const parts: string[] = []
  for (const key of keys) {
    const value = getOwn(element, key)
    if (value === null || value === undefined || typeof value === 'object') return undefined
    parts.push(String(scalarKey(value)))
  }
  return parts.join('\0')
}

/**
 * A value together with what it was before, where that can be told. Errors about a value that did not change are
 * forgiven on update ("ratcheting"): objects that were stored before a rule came must stay editable.
 */
export class Correlation {
  readonly #value: unknown
  readonly #old: unknown
  readonly #node: SchemaNode
  readonly #children = new Map<string | number, Correlation | undefined>()
  #oldElement: ((element: unknown) => unknown) | undefined
  #unchanged: boolean | undefined

  constructor(value: unknown, old: unknown, node: SchemaNode) {
    this.#value = value
    this.#old = old
    this.#node = node
  }

  /** The member of that name, if it was there before and the schema knows it. */
  key(name: string): Correlation | undefined {
    if (this.#children.has(name)) return this.#children.get(name)
    const child = this.#findKey(name)
    this.#children.set(name, child)
    return child
  }

  #findKey(name: string): Correlation | undefined {
    if (!isPlainObject(this.#value) || !isPlainObject(this.#old)) return undefined
    if (!Object.hasOwn(this.#value, name) || !Object.hasOwn(this.#old, name)) return undefined
    const node = this.#node.properties?.get(name) ?? this.#node.additional
    return node === undefined ? undefined : new Correlation(this.#value[name], this.#old[name], node)
  }

  /** The element at that index, if the list is of type `map` and had an element with the same keys. */
  index(index: number): Correlation | undefined {
    if (this.#children.has(index)) return this.#children.get(index)
    const child = this.#findIndex(index)
    this.#children.set(index, child)
    return child
  }

  #findIndex(index: number): Correlation | undefined {
    const { items } = this.#node
    if (!Array.isArray(this.#value) || !Array.isArray(this.#old) || items === undefined) return undefined
    if (this.#node.schema['x-kubernetes-list-type'] !== 'map') return undefined
    this.#oldElement ??= oldElementsByKey(this.#node, this.#old)
    const element: unknown = this.#value[index]
    const old = this.#oldElement(element)
    return old === undefined || old === null ? undefined : new Correlation(element, old, items)
  }

  /** Whether the value is what it was. Fields that the schema does not know count as changed. */
  isUnchanged(): boolean {
    this.#unchanged ??= this.#compare()
    return this.#unchanged
  }

  #compare(): boolean {
    const value = this.#value
    const old = this.#old
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false
      if (this.#node.schema['x-kubernetes-list-type'] !== 'map') return deepEqual(value, old)
      return value.every((_, index) => this.index(index)?.isUnchanged() === true)
    }
    if (isPlainObject(value) && isPlainObject(old)) {
      const keys = Object.keys(value)
      if (keys.length !== Object.keys(old).length) return false
      return keys.every((key) => this.key(key)?.isUnchanged() === true)
    }
    return deepEqual(value, old)
  }
}

/** Where an evaluation stands in the comparison of new and old. */
export interface Ratchet {
  /** Absent where the value cannot be compared with an old one. */
  readonly current: Correlation | undefined
  /** The nearest enclosing value that can. */
  readonly parent: Correlation | undefined
}

/** Nothing to compare with: the object is new. */
export const noRatchet: Ratchet = { current: undefined, parent: undefined }

/** The comparison of a member. */
export function ratchetKey(ratchet: Ratchet, name: string): Ratchet {
  const { current, parent } = ratchet
  if (current === undefined) return ratchet
  // Both are converted to one version before they are compared.
  if (parent === undefined && (name === 'apiVersion' || name === 'kind')) return noRatchet
  return { current: current.key(name), parent: current }
}

/** The comparison of an element. */
export function ratchetIndex(ratchet: Ratchet, index: number): Ratchet {
  const { current } = ratchet
  return current === undefined ? ratchet : { current: current.index(index), parent: current }
}

/** Whether an error at this place is about something that did not change. */
export function isForgiven({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isUnchanged() === true
}
