import type { DeepReadonly } from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import { CachedObject } from './cached-object.js'
import { readLabels, readObject } from './object-bytes.js'
import type { Slab, Tenant } from './slabs.js'

// An object grows and shrinks by a few digits with every update; this much room lets it stay where it is.
const grainBytes = 64

/**
 * The place of one object in a store. It is written over as the object changes, so it is never handed out: readers get
 * what it holds, parsed, or a copy that stays what it is.
 */
export class StoredObject<T extends KubeObject> implements Tenant {
  readonly key: string
  #uid: string
  #resourceVersion: string
  #slab: Slab | undefined
  #start = 0
  #size = 0
  #capacity = 0
  #parsed: WeakRef<object> | undefined

  constructor(key: string) {
    this.key = key
    this.#uid = ''
    this.#resourceVersion = ''
  }

  get uid(): string {
    return this.#uid
  }

  get resourceVersion(): string {
    return this.#resourceVersion
  }

  get namespace(): string {
    return this.key.slice(0, Math.max(0, this.key.indexOf('/')))
  }

  /** Parsed on the first read and held as long as somebody else holds it. */
  get object(): DeepReadonly<T> {
    const held = this.#parsed?.deref()
    // What is held was made below.
    if (held !== undefined) return held as DeepReadonly<T>
    const parsed = readObject<T>(this.#bytes, this.#start, this.#start + this.#size)
    this.#parsed = new WeakRef(parsed)
    return parsed
  }

  get labels(): Readonly<Record<string, string>> {
    return readLabels(this.#bytes, this.#start)
  }

  /** The object as it is now. */
  copy(): CachedObject<T> {
    const text = this.#bytes.toString('latin1', this.#start, this.#start + this.#size)
    return new CachedObject<T>(this.key, this.#uid, this.#resourceVersion, text)
  }

  get slab(): Slab | undefined {
    return this.#slab
  }

  get capacity(): number {
    return this.#capacity
  }

  moveTo(slab: Slab, start: number): void {
    this.#slab?.bytes.copy(slab.bytes, start, this.#start, this.#start + this.#size)
    this.#slab = slab
    this.#start = start
  }

  /** Whether the bytes of this object fit where the last ones are, without wasting half of the room. */
  hasRoomFor(object: CachedObject<T>): boolean {
    return object.size <= this.#capacity && object.size * 2 > this.#capacity
  }

  /** Gives its bytes up, and asks for room for those of this object. */
  reserveFor(object: CachedObject<T>): void {
    this.#slab = undefined
    this.#size = 0
    this.#capacity = Math.ceil(object.size / grainBytes) * grainBytes
  }

  /** Becomes this object. Needs room. */
  write(object: CachedObject<T>): void {
    object.copyTo(this.#bytes, this.#start)
    this.#size = object.size
    // The same text as before is not replaced: the new one would outlive its generation in the collector's eyes.
    if (this.#uid !== object.uid) this.#uid = object.uid
    this.#resourceVersion = object.resourceVersion
    this.#parsed = undefined
  }

  get #bytes(): Buffer {
    return this.#slab?.bytes ?? emptyBytes
  }
}

const emptyBytes = Buffer.alloc(0)
