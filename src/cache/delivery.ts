import { toError, yieldToEventLoop } from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import type { CachedObject } from './cached-object.js'

/** What a handler is told about an object that is new to the cache. */
export interface AddInfo {
  /** Part of the state that was there when the handler came, not a change. */
  readonly initial: boolean
}

/** What a handler is told about an object that has left the cache. */
export interface DeleteInfo {
  /** The deletion itself was missed: this is the last state that was seen, which may not be the last there was. */
  readonly finalStateUnknown: boolean
}

/**
 * Receives changes of the cache, in order, one at a time. Reading `object.object` parses it; the key, uid,
 * resourceVersion, labels and owner references are cheaper. A handler that throws is logged and goes on receiving.
 */
export interface InformerHandler<T extends KubeObject> {
  onAdd?(object: CachedObject<T>, info: AddInfo): void
  /** Both are the same object (by uid). Equal resourceVersions mean that nothing changed: a resync or a new list. */
  onUpdate?(old: CachedObject<T>, object: CachedObject<T>): void
  onDelete?(last: CachedObject<T>, info: DeleteInfo): void
}

/** What a notification is about. Copied for the handler at the last moment, and not at all for one that does not listen. */
export interface Told<T extends KubeObject> {
  readonly key: string
  copy(): CachedObject<T>
}

export type Notification<T extends KubeObject> =
  | { readonly type: 'add'; readonly object: Told<T>; readonly initial: boolean }
  | { readonly type: 'update'; readonly old: Told<T>; readonly object: Told<T> }
  | { readonly type: 'delete'; readonly last: Told<T>; readonly finalStateUnknown: boolean }
  /** Everything that was there at the start has been delivered. */
  | { readonly type: 'synced' }
  /** There was much to look at and nothing to tell. */
  | { readonly type: 'pause' }

// Long enough to amortise the turn, short enough (about 1 ms of light handlers) for leases and probes.
const notificationsPerTurn = 500

/** The line of notifications to one handler. Keeps their order, and gives other work a turn in long batches. */
export class Delivery<T extends KubeObject> {
  readonly #handler: InformerHandler<T>
  readonly #log: Logger
  /** Objects whose present state is to be told before anything that waits. */
  readonly #present = new Set<Told<T>>()
  #presentAs: 'initial' | 'resync' = 'initial'
  readonly #waiting: (Notification<T> | Iterator<Notification<T>, undefined>)[] = []
  #nextWaiting = 0
  #draining: Promise<void> | undefined
  #removed = false
  #markSynced: () => void = () => {}
  /** Resolves when the initial state has been processed by this handler. */
  readonly synced: Promise<void>
  #hasSynced = false

  constructor(handler: InformerHandler<T>, log: Logger) {
    this.#handler = handler
    this.#log = log
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve
    })
  }

  get hasSynced(): boolean {
    return this.#hasSynced
  }

  /** Delivers at once unless others wait before it. */
  deliver(notification: Notification<T>): void {
    if (this.#draining === undefined) this.#call(notification)
    else this.#waiting.push(notification)
  }

  /** Delivers many in slices; resolves when this handler has received them all. */
  deliverAll(notifications: Iterator<Notification<T>, undefined>): Promise<void> {
    this.#waiting.push(notifications)
    this.#draining ??= this.#drain()
    return this.#draining
  }

  /**
   * Delivers these objects as they are now, in slices: as the initial state, or once more. A handler that is still busy
   * with what was there before is not told once more; the next time it will.
   */
  deliverPresent(objects: Iterable<Told<T>>, as: 'initial' | 'resync'): void {
    if (this.#draining !== undefined) return
    this.#presentAs = as
    for (const object of objects) this.#present.add(object)
    if (as === 'initial') this.#waiting.push({ type: 'synced' })
    this.#draining = this.#drain()
  }

  /** This object is about to change or to go: if its present state has yet to be told, it is told now. */
  deliverBeforeChange(object: Told<T>): void {
    if (this.#present.delete(object)) this.#call(this.#asPresent(object))
  }

  /** Nothing is delivered any more, not even what waits. */
  remove(): void {
    this.#removed = true
    this.#present.clear()
    this.#waiting.length = 0
    this.#markSynced()
  }

  async #drain(): Promise<void> {
    // Whoever added the handler gets its registration before the first call.
    await Promise.resolve()
    for (let told = 1; ; told++) {
      const next = this.#next()
      if (next === undefined) break
      this.#call(next)
      if (next.type === 'pause' || told % notificationsPerTurn === 0) await yieldToEventLoop()
    }
    this.#draining = undefined
  }

  #next(): Notification<T> | undefined {
    for (const object of this.#present) {
      this.#present.delete(object)
      return this.#asPresent(object)
    }
    for (; this.#nextWaiting < this.#waiting.length; this.#nextWaiting++) {
      const waiting = this.#waiting[this.#nextWaiting]
      if (waiting === undefined) continue
      if (!('next' in waiting)) {
        this.#nextWaiting++
        return waiting
      }
      const { value } = waiting.next()
      if (value !== undefined) return value
    }
    this.#waiting.length = 0
    this.#nextWaiting = 0
    return undefined
  }

  #asPresent(object: Told<T>): Notification<T> {
    return this.#presentAs === 'initial'
      ? { type: 'add', object, initial: true }
      : { type: 'update', old: object, object }
  }

  #call(notification: Notification<T>): void {
    if (this.#removed) return
    try {
      switch (notification.type) {
        case 'add':
          this.#handler.onAdd?.(notification.object.copy(), { initial: notification.initial })
          break
        case 'update':
          this.#handler.onUpdate?.(notification.old.copy(), notification.object.copy())
          break
        case 'delete':
          this.#handler.onDelete?.(notification.last.copy(), {
            finalStateUnknown: notification.finalStateUnknown,
          })
          break
        case 'synced':
          this.#hasSynced = true
          this.#markSynced()
          break
        case 'pause':
          break
      }
    } catch (error) {
      const key =
        'object' in notification
          ? notification.object.key
          : 'last' in notification
            ? notification.last.key
            : ''
      this.#log.error('An event handler of a cache threw; it goes on with the next event.', {
        event: notification.type,
        object: key,
        error: toError(error),
      })
    }
  }
}
