import { type DeepReadonly, yieldToEventLoop } from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import type { CachedObject } from './cached-object.js'
import { Snapshot } from './snapshot.js'
import type { StoredObject } from './stored-object.js'

/** The values under which an object is found in an index. Pure; computed once for each version of an object. */
export type IndexFunction<T extends KubeObject> = (object: DeepReadonly<T>) => readonly string[]

export interface StoreOptions<T extends KubeObject> {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>
  /** An index function threw. The object stays in the store and out of that index. */
  readonly onIndexError: (index: string, key: string, error: unknown) => void
}

/** Objects by key, with indexes. Knows nothing of where they come from. */
export class Store<T extends KubeObject> {
  readonly #options: StoreOptions<T>
  #objects = new Snapshot<T>()
  #indexes = new Map<string, Index<T>>()

  constructor(options: StoreOptions<T>) {
    this.#options = options
    for (const [name, values] of Object.entries(options.indexes ?? {})) {
      this.#indexes.set(name, new Index((object) => this.#valuesOf(name, values, object)))
    }
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: string): StoredObject<T> | undefined {
    return this.#objects.get(key)
  }

  values(): IterableIterator<StoredObject<T>> {
    return this.#objects.values()
  }

  /** The objects of one namespace. The index behind it is built when it is first asked for. */
  inNamespace(namespace: string): Iterable<StoredObject<T>> {
    let index = this.#indexes.get(namespaceIndex)
    if (index === undefined) {
      index = new Index(({ namespace: own }) => [own])
      for (const stored of this.#objects.values()) index.add(stored)
      this.#indexes.set(namespaceIndex, index)
    }
    return index.find(namespace)
  }

  /** The objects that an index function gave this value; undefined when there is no such index. */
  byIndex(name: string, value: string): Iterable<StoredObject<T>> | undefined {
    return this.#indexes.get(name)?.find(value)
  }

  /** The values of an object under an index, also for one that is not in the store. */
  indexValues(name: string, cached: CachedObject<T>): readonly string[] {
    return this.#indexes.get(name)?.valuesOf(cached) ?? []
  }

  /** Another index, over what is there and what comes. A name that is taken must stand for the same function. */
  addIndex(name: string, values: IndexFunction<T>): void {
    const index = new Index<T>((object) => this.#valuesOf(name, values, object))
    for (const stored of this.#objects.values()) index.add(stored)
    this.#indexes.set(name, index)
  }

  set(cached: CachedObject<T>): void {
    for (const index of this.#indexes.values()) index.remove(cached.key)
    const stored = this.#objects.set(cached)
    for (const index of this.#indexes.values()) index.add(stored)
  }

  delete(key: string): void {
    for (const index of this.#indexes.values()) index.remove(key)
    this.#objects.delete(key)
  }

  /**
   * All at once: no reader ever sees half of the old and half of the new. Indexes may have to parse every object, so they
   * are made before, in slices. Nothing else may be written until this has resolved. Returns what was there before.
   */
  async replace(objects: Snapshot<T>): Promise<Snapshot<T>> {
    const made = new Map<string, Index<T>>()
    let sinceTurn = 0
    for (;;) {
      // The index of namespaces may come while we wait for our turn.
      const missing = [...this.#indexes].find(([name]) => !made.has(name))
      if (missing === undefined) break
      const index = missing[1].empty()
      for (const stored of objects.values()) {
        index.add(stored)
        if (++sinceTurn % objectsPerTurn === 0) await yieldToEventLoop()
      }
      made.set(missing[0], index)
    }
    const before = this.#objects
    this.#objects = objects
    this.#indexes = made
    return before
  }

  #valuesOf(name: string, values: IndexFunction<T>, indexed: Indexed<T>): readonly string[] {
    try {
      const found: unknown = values(indexed.object)
      if (Array.isArray(found)) return found
      throw new TypeError('An index function must return a list of values.')
    } catch (error) {
      this.#options.onIndexError(name, indexed.key, error)
      return []
    }
  }
}

// A millisecond or two, where an index function reads small objects.
const objectsPerTurn = 200

// A name that no user index can have: it is not a property of an options object.
const namespaceIndex = '\0namespace'

/** What an index needs of an object, stored or not. */
type Indexed<T extends KubeObject> = Pick<CachedObject<T>, 'key' | 'namespace' | 'object'>

class Index<T extends KubeObject> {
  readonly #compute: (object: Indexed<T>) => readonly string[]
  readonly #byValue = new Map<string, Map<string, StoredObject<T>>>()
  // What an object was filed under: the function is not asked again, for it might answer differently.
  readonly #filed = new Map<string, readonly string[]>()

  constructor(compute: (object: Indexed<T>) => readonly string[]) {
    this.#compute = compute
  }

  valuesOf(object: Indexed<T>): readonly string[] {
    return this.#compute(object)
  }

  find(value: string): Iterable<StoredObject<T>> {
    return this.#byValue.get(value)?.values() ?? []
  }

  add(stored: StoredObject<T>): void {
    const values = this.#compute(stored)
    if (values.length === 0) return
    this.#filed.set(stored.key, values)
    for (const value of values) {
      let bucket = this.#byValue.get(value)
      if (bucket === undefined) this.#byValue.set(value, (bucket = new Map()))
      bucket.set(stored.key, stored)
    }
  }

  remove(key: string): void {
    for (const value of this.#filed.get(key) ?? []) {
      const bucket = this.#byValue.get(value)
      bucket?.delete(key)
      if (bucket?.size === 0) this.#byValue.delete(value)
    }
    this.#filed.delete(key)
  }

  /** An index by the same values, of nothing yet. */
  empty(): Index<T> {
    return new Index(this.#compute)
  }
}
