import { type DeepReadonly, yieldToEventLoop } from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import type { CachedObject } from './cached-object.js'

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
  #objects = new Map<string, CachedObject<T>>()
  #indexes = new Map<string, Index<T>>()

  constructor(options: StoreOptions<T>) {
    this.#options = options
    for (const [name, values] of Object.entries(options.indexes ?? {})) {
      this.#indexes.set(name, new Index((cached) => this.#valuesOf(name, values, cached)))
    }
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: string): CachedObject<T> | undefined {
    return this.#objects.get(key)
  }

  values(): IterableIterator<CachedObject<T>> {
    return this.#objects.values()
  }

  /** The objects of one namespace. The index behind it is built when it is first asked for. */
  inNamespace(namespace: string): Iterable<CachedObject<T>> {
    let index = this.#indexes.get(namespaceIndex)
    if (index === undefined) {
      index = new Index((cached) => [cached.namespace])
      for (const cached of this.#objects.values()) index.add(cached)
      this.#indexes.set(namespaceIndex, index)
    }
    return index.find(namespace)
  }

  /** The objects that an index function gave this value; undefined when there is no such index. */
  byIndex(name: string, value: string): Iterable<CachedObject<T>> | undefined {
    return this.#indexes.get(name)?.find(value)
  }

  /** The values of an object under an index, also for one that is not in the store. */
  indexValues(name: string, cached: CachedObject<T>): readonly string[] {
    return this.#indexes.get(name)?.valuesOf(cached) ?? []
  }

  set(cached: CachedObject<T>): void {
    this.#unindex(cached.key)
    this.#objects.set(cached.key, cached)
    for (const index of this.#indexes.values()) index.add(cached)
  }

  delete(key: string): void {
    this.#unindex(key)
    this.#objects.delete(key)
  }

  /**
   * All at once: no reader ever sees half of the old and half of the new. Indexes may have to parse every object, so they
   * are made before, in slices. Nothing else may be written until this has resolved.
   */
  async replace(objects: Map<string, CachedObject<T>>): Promise<void> {
    const made = new Map<string, Index<T>>()
    let sinceTurn = 0
    for (;;) {
      // The index of namespaces may come while we wait for our turn.
      const missing = [...this.#indexes].find(([name]) => !made.has(name))
      if (missing === undefined) break
      const index = missing[1].empty()
      for (const cached of objects.values()) {
        index.add(cached)
        if (++sinceTurn % objectsPerTurn === 0) await yieldToEventLoop()
      }
      made.set(missing[0], index)
    }
    this.#objects = objects
    this.#indexes = made
  }

  #unindex(key: string): void {
    if (this.#indexes.size === 0) return
    const previous = this.#objects.get(key)
    if (previous !== undefined) for (const index of this.#indexes.values()) index.remove(previous)
  }

  #valuesOf(name: string, values: IndexFunction<T>, cached: CachedObject<T>): readonly string[] {
    try {
      const found: unknown = values(cached.object)
      if (Array.isArray(found)) return found
      throw new TypeError('An index function must return a list of values.')
    } catch (error) {
      this.#options.onIndexError(name, cached.key, error)
      return []
    }
  }
}

// A millisecond or two, where an index function reads small objects.
const objectsPerTurn = 200

// A name that no user index can have: it is not a property of an options object.
const namespaceIndex = '\0namespace'

class Index<T extends KubeObject> {
  readonly #compute: (cached: CachedObject<T>) => readonly string[]
  readonly #byValue = new Map<string, Map<string, CachedObject<T>>>()
  // What an object was filed under: the function is not asked again, for it might answer differently.
  readonly #filed = new Map<string, readonly string[]>()

  constructor(compute: (cached: CachedObject<T>) => readonly string[]) {
    this.#compute = compute
  }

  valuesOf(cached: CachedObject<T>): readonly string[] {
    return this.#compute(cached)
  }

  find(value: string): Iterable<CachedObject<T>> {
    return this.#byValue.get(value)?.values() ?? []
  }

  add(cached: CachedObject<T>): void {
    const values = this.#compute(cached)
    if (values.length === 0) return
    this.#filed.set(cached.key, values)
    for (const value of values) {
      let bucket = this.#byValue.get(value)
      if (bucket === undefined) this.#byValue.set(value, (bucket = new Map()))
      bucket.set(cached.key, cached)
    }
  }

  remove(cached: CachedObject<T>): void {
    for (const value of this.#filed.get(cached.key) ?? []) {
      const bucket = this.#byValue.get(value)
      bucket?.delete(cached.key)
      if (bucket?.size === 0) this.#byValue.delete(value)
    }
    this.#filed.delete(cached.key)
  }

  /** An index by the same values, of nothing yet. */
  empty(): Index<T> {
    return new Index(this.#compute)
  }
}
