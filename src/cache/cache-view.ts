import type { DeepReadonly } from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import type { CachedObject } from './cached-object.js'
import type { OwnWrites } from './own-writes.js'
import type { Store } from './store.js'

/** Reads of a cache: what the watch has shown, with our own newer writes laid over it. */
export class CacheView<T extends KubeObject> {
  readonly #store: Store<T>
  readonly #ownWrites: OwnWrites<T>

  constructor(store: Store<T>, ownWrites: OwnWrites<T>) {
    this.#store = store
    this.#ownWrites = ownWrites
  }

  /** The object of this key (`namespace/name`), frozen; undefined when there is none. */
  get(key: string): DeepReadonly<T> | undefined {
    return this.getCached(key)?.object
  }

  /** The same without parsing it. */
  getCached(key: string): CachedObject<T> | undefined {
    return this.#overlaid(key, this.#store.get(key))
  }

  /** All objects, or those of one namespace. Lazy: an object is parsed when `.object` is read. */
  *values(namespace?: string): Iterable<CachedObject<T>> {
    const shown = namespace === undefined ? this.#store.values() : this.#store.inNamespace(namespace)
    yield* this.#overlay(shown, (written) => namespace === undefined || written.namespace === namespace)
  }

  /** The objects that the index function of this name gave this value; undefined when there is no such index. */
  byIndex(name: string, value: string): Iterable<CachedObject<T>> | undefined {
    const found = this.#store.byIndex(name, value)
    if (found === undefined) return undefined
    return this.#overlay(found, (written) => this.#store.indexValues(name, written).includes(value))
  }

  *#overlay(
    shown: Iterable<CachedObject<T>>,
    belongs: (written: CachedObject<T>) => boolean,
  ): Iterable<CachedObject<T>> {
    if (this.#ownWrites.size === 0) return yield* shown
    for (const cached of shown) if (this.#ownWrites.get(cached.key) === undefined) yield cached
    // What was written is judged by its new content: a changed label or index value counts at once.
    for (const [key, write] of this.#ownWrites.entries()) {
      const current = write.kind === 'object' ? write.cached : this.#overlaid(key, this.#store.get(key))
      if (current !== undefined && belongs(current)) yield current
    }
  }

  #overlaid(key: string, shown: CachedObject<T> | undefined): CachedObject<T> | undefined {
    const write = this.#ownWrites.get(key)
    if (write === undefined) return shown
    if (write.kind === 'object') return write.cached
    return shown?.uid === write.uid ? undefined : shown
  }
}
