import type { DeepReadonly } from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import type { CachedObject } from './cached-object.js'
import type { OwnWrites } from './own-writes.js'
import type { Store } from './store.js'
import type { StoredObject } from './stored-object.js'

/** An object as a reader finds it: in the store, or in a write of ours that the watch has not shown yet. */
type Found<T extends KubeObject> = StoredObject<T> | CachedObject<T>

/** Which objects to read. */
export interface ViewOptions {
  readonly namespace?: string | undefined
  readonly hasLabels?: ((labels: Readonly<Record<string, string>>) => boolean) | undefined
}

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
    return this.#find(key)?.object
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined
  }

  /** The same without parsing it. */
  getCached(key: string): CachedObject<T> | undefined {
    return this.#find(key)?.copy()
  }

  /** All objects that are asked for, parsed. */
  *objects(options: ViewOptions = {}): Iterable<DeepReadonly<T>> {
    for (const found of this.#select(options)) yield found.object
  }

  /** The same without parsing them. */
  *values(options: ViewOptions = {}): Iterable<CachedObject<T>> {
    for (const found of this.#select(options)) yield found.copy()
  }

  /** The objects that the index function of this name gave this value; undefined when there is no such index. */
  byIndex(name: string, value: string): DeepReadonly<T>[] | undefined {
    const shown = this.#store.byIndex(name, value)
    if (shown === undefined) return undefined
    const belongs = (written: CachedObject<T>): boolean =>
      this.#store.indexValues(name, written).includes(value)
    return Array.from(this.#overlay(shown, belongs), (found) => found.object)
  }

  *#select({ namespace, hasLabels }: ViewOptions): Iterable<Found<T>> {
    const shown = namespace === undefined ? this.#store.values() : this.#store.inNamespace(namespace)
    const belongs = (written: CachedObject<T>): boolean =>
      namespace === undefined || written.namespace === namespace
    for (const found of this.#overlay(shown, belongs)) {
      if (hasLabels === undefined || hasLabels(found.labels)) yield found
    }
  }

  *#overlay(
    shown: Iterable<StoredObject<T>>,
    belongs: (written: CachedObject<T>) => boolean,
  ): Iterable<Found<T>> {
    if (this.#ownWrites.size === 0) return yield* shown
    for (const stored of shown) if (this.#ownWrites.get(stored.key) === undefined) yield stored
    // What was written is judged by its new content: a changed label or index value counts at once.
    for (const [key, write] of this.#ownWrites.entries()) {
      const current = write.kind === 'object' ? write.cached : this.#find(key)?.copy()
      if (current !== undefined && belongs(current)) yield current
    }
  }

  #find(key: string): Found<T> | undefined {
    const shown = this.#store.get(key)
    const write = this.#ownWrites.size === 0 ? undefined : this.#ownWrites.get(key)
    if (write === undefined) return shown
    if (write.kind === 'object') return write.cached
    return shown?.uid === write.uid ? undefined : shown
  }
}
