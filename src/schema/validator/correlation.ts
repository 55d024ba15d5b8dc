import { deepEqual, isPlainObject } from '../../base/index.js'
import type { SchemaNode } from './schema-node.js'

/**
 * A new value beside the old value that it replaces. Errors in what did not change are forgiven on update, so that
 * a stricter schema does not lock up objects that are already stored.
 */
export class Correlation {
  readonly value: unknown
  readonly node: SchemaNode
  readonly #old: unknown
  readonly #children = new Map<string | number, Correlation | undefined>()
  #oldByKey: Map<unknown, unknown> | undefined
  #isUnchanged: boolean | undefined

  constructor(node: SchemaNode, value: unknown, old: unknown) {
    this.node = node
    this.value = value
    this.#old = old
  }

  /** The field of this name, when both objects have it and the schema knows it. */
  field(name: string): Correlation | undefined {
    if (this.#children.has(name)) return this.#children.get(name)
    const child = this.#correlateField(name)
    this.#children.set(name, child)
    return child
  }

  #correlateField(name: string): Correlation | undefined {
    if (!isPlainObject(this.value) || !isPlainObject(this.#old)) return undefined
    if (!has(this.value, name) || !has(this.#old, name)) return undefined
    const { properties, additional } = this.node
    const node = properties.get(name) ?? (typeof additional === 'object' ? additional : undefined)
    return node === undefined ? undefined : new Correlation(node, this.value[name], this.#old[name])
  }

  /** The item at this place of a map-like list, when the old list has one with the same keys. */
  item(index: number): Correlation | undefined {
    if (this.#children.has(index)) return this.#children.get(index)
    const child = this.#correlateItem(index)
    this.#children.set(index, child)
    return child
  }

  #correlateItem(index: number): Correlation | undefined {
    const { items, listType } = this.node
    if (listType !== 'map' || items === undefined) return undefined
    if (!Array.isArray(this.value) || !Array.isArray(this.#old)) return undefined
    const item: unknown = this.value[index]
    const key = this.#keyOf(item)
    this.#oldByKey ??= this.#indexOld(this.#old)
    const old = key === undefined ? undefined : this.#oldByKey.get(key)
    return old === undefined ? undefined : new Correlation(items, item, old)
  }

  #indexOld(old: readonly unknown[]): Map<unknown, unknown> {
    const byKey = new Map<unknown, unknown>()
    for (const item of old) {
      const key = this.#keyOf(item)
      if (key !== undefined && !byKey.has(key)) byKey.set(key, item)
    }
    return byKey
  }

  #keyOf(item: unknown): unknown {
    if (!isPlainObject(item)) return undefined
    const parts: unknown[] = []
    for (const name of this.node.listMapKeys) {
      const part = has(item, name) ? item[name] : undefined
      if (part === undefined || typeof part === 'object') return undefined
      parts.push(part)
    }
    return parts.length === 1
      ? parts[0]
      : JSON.stringify(parts, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
  }

  /** As the server compares: a field that the schema does not know counts as a change. */
  get isUnchanged(): boolean {
    this.#isUnchanged ??= this.#compare()
    return this.#isUnchanged
  }

  #compare(): boolean {
    const value = this.value
    const old = this.#old
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false
      if (this.node.listType !== 'map') return deepEqual(value, old)
      return value.every((_, index) => this.item(index)?.isUnchanged === true)
    }
    if (isPlainObject(value) && isPlainObject(old)) {
      const names = definedKeys(value)
      return (
        names.length === definedKeys(old).length &&
        names.every((name) => this.field(name)?.isUnchanged === true)
      )
    }
    return deepEqual(value, old)
  }
}

function has(object: object, name: string): boolean {
  return Object.hasOwn(object, name) && (object as Record<string, unknown>)[name] !== undefined
}

function definedKeys(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined)
}
