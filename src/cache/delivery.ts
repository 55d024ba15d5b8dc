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

export type Notification<T extends KubeObject> =
  | { readonly type: 'add'; readonly object: CachedObject<T>; readonly initial: boolean }
  | { readonly type: 'update'; readonly old: CachedObject<T>; readonly object: CachedObject<T> }
  | { readonly type: 'delete'; readonly last: CachedObject<T>; readonly finalStateUnknown: boolean }
  /** Everything that was there at the start has been delivered. */
  | { readonly type: 'synced' }

// Long enough to amortise the turn, short enough (about 1 ms of light handlers) for leases and probes.
const notificationsPerTurn = 500

/** The line of notifications to one handler. Keeps their order, and gives other work a turn in long batches. */
export class Delivery<T extends KubeObject> {
  readonly #handler: InformerHandler<T>
  readonly #log: Logger
  readonly #waiting: Notification<T>[] = []
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
  deliverAll(notifications: Iterable<Notification<T>>): Promise<void> {
    for (const notification of notifications) this.#waiting.push(notification)
    this.#draining ??= this.#drain()
    return this.#draining
  }

  /** Nothing is delivered any more, not even what waits. */
  remove(): void {
    this.#removed = true
    this.#waiting.length = 0
    this.#markSynced()
  }

  async #drain(): Promise<void> {
    // Whoever added the handler gets its registration before the first call.
    await Promise.resolve()
    for (let next = 0; next < this.#waiting.length; ) {
      const end = Math.min(this.#waiting.length, next + notificationsPerTurn)
      while (next < end) {
        const notification = this.#waiting[next++]
        if (notification !== undefined) this.#call(notification)
      }
      if (next < this.#waiting.length) await yieldToEventLoop()
    }
    this.#waiting.length = 0
    this.#draining = undefined
  }

  #call(notification: Notification<T>): void {
    if (this.#removed) return
    try {
      switch (notification.type) {
        case 'add':
          this.#handler.onAdd?.(notification.object, { initial: notification.initial })
          break
        case 'update':
          this.#handler.onUpdate?.(notification.old, notification.object)
          break
        case 'delete':
          this.#handler.onDelete?.(notification.last, { finalStateUnknown: notification.finalStateUnknown })
          break
        case 'synced':
          this.#hasSynced = true
          this.#markSynced()
          break
      }
    } catch (error) {
      const key =
        notification.type === 'synced'
          ? ''
          : (notification.type === 'delete' ? notification.last : notification.object).key
      this.#log.error('An event handler of a cache threw; it goes on with the next event.', {
        event: notification.type,
        object: key,
        error: toError(error),
      })
    }
  }
}
