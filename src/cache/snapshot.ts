import type { KubeObject } from '../objects/index.js'
import type { CachedObject } from './cached-object.js'
import { Slabs } from './slabs.js'
import { StoredObject } from './stored-object.js'

/** A state of a resource, object by object. Whether it is complete, whoever fills it knows. */
export class Snapshot<T extends KubeObject = KubeObject> {
  readonly #objects = new Map<string, StoredObject<T>>()
  readonly #slabs = new Slabs()

  get size(): number {
    return this.#objects.size
  }

  get(key: string): StoredObject<T> | undefined {
    return this.#objects.get(key)
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys()
  }

  values(): IterableIterator<StoredObject<T>> {
    return this.#objects.values()
  }

  /** Copies the object in, over the one that had its key. */
  set(object: CachedObject<T>): StoredObject<T> {
    const known = this.#objects.get(object.key)
    const stored = known ?? new StoredObject<T>(object.key)
    if (known === undefined) this.#objects.set(object.key, stored)
    if (!stored.hasRoomFor(object)) {
      this.#slabs.release(stored)
      stored.reserveFor(object)
      this.#slabs.place(stored)
    }
    stored.write(object)
    return stored
  }

  /** The object is not part of it any more; what is left of it must not be read. */
  delete(key: string): void {
    const stored = this.#objects.get(key)
    if (stored === undefined) return
    this.#slabs.release(stored)
    this.#objects.delete(key)
  }
}
