import {
  type Clock,
  type DeepReadonly,
  KubewrightError,
  type Random,
  systemClock,
  type Timer,
} from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import { type Logger, silentLogger } from '../observe/index.js'
import { keyOf } from './cache-key.js'
import { CacheView } from './cache-view.js'
import { CachedObject } from './cached-object.js'
import { Delivery, type InformerHandler, type Notification } from './delivery.js'
import { isShown, type ObjectVersion, OwnWrites } from './own-writes.js'
import { type ReflectorOptions, type ReflectorSink, runReflector } from './reflector.js'
import { defaultReflectorRules, type ReflectorFailure, type ReflectorRules } from './reflector-state.js'
import type { ResourceSource } from './resource-source.js'
import { Snapshot } from './snapshot.js'
import { type IndexFunction, Store } from './store.js'
import type { StoredObject } from './stored-object.js'
import { type Transform, transformed } from './transform.js'

/** How an informer is doing, for health checks and metrics. */
export interface InformerHealth {
  readonly description: string
  /** The first complete state is in the cache. */
  readonly synced: boolean
  readonly objects: number
  readonly resourceVersion: string
  /** Monotonic time of the last answer, event or bookmark. */
  readonly lastActivityMs: number | undefined
  /** What interrupted it, while it is interrupted. */
  readonly failure:
    | { readonly reason: ReflectorFailure | 'short-watch'; readonly error: Error | undefined }
    | undefined
}

/** A handler's place in an informer. */
export interface HandlerRegistration {
  /** The objects that were there when the handler came have been processed by it. */
  readonly hasSynced: boolean
  readonly synced: Promise<void>
  /** Nothing is delivered afterwards. */
  remove(): void
}

/** An informer was started while it ran: two watches would write into one cache. */
export class InformerRunningError extends KubewrightError {
  constructor(description: string) {
    super(`The informer of ${description} runs already: start it once, and share it.`, {
      code: 'KW_INFORMER_RUNNING',
    })
  }
}

export interface InformerOptions<T extends KubeObject> {
  readonly source: ResourceSource
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>
  /** Deliver every object again as an unchanged update each so often. Zero: never. At least a second. */
  readonly resyncMs?: number
  readonly stripManagedFields?: boolean
  readonly transform?: Transform<T>
  /** Told of every interruption, for metrics. */
  readonly onFailure?: (reason: ReflectorFailure | 'short-watch') => void
  /** Whether an own write belongs into this cache: its namespace and selectors. */
  readonly accepts?: (object: CachedObject<T>) => boolean
  readonly rules?: Partial<ReflectorRules>
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Logger
}

/**
 * Keeps the objects of one resource in memory and tells handlers what changes.
 *
 * - Eventually consistent: after the changes cease, the cache equals the server. A handler may miss states in between,
 *   never the last one.
 * - Events of one object come in order, one at a time; nothing is promised about the order between objects.
 * - An object that was deleted and created again under its name is told as a deletion and an addition, also when both
 *   were missed.
 * - A read sees the writes that were reported with `wrote` and `deleted`, at once.
 * - It never gives up: a missing CRD, a refused connection or a withdrawn permission is waited out.
 */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>
  readonly #clock: Clock
  readonly #log: Logger
  readonly #store: Store<T>
  readonly #ownWrites = new OwnWrites<T>()
  readonly #deliveries = new Set<Delivery<T>>()
  /** Reads of the cache, own writes included. */
  readonly view: CacheView<T>
  /** Resolves when the first complete state is there, or when the server has said that there is no such resource. */
  readonly known: Promise<void>
  #markKnown: () => void = () => {}
  #synced = false
  #resourceVersion = ''
  #lastActivityMs: number | undefined
  #failure: InformerHealth['failure']
  #resyncTimer: Timer | undefined
  #isRunning = false
  /** One that throws, or makes another object of it, changes nothing. */
  readonly #transform: ((object: CachedObject<T>) => CachedObject<T>) | undefined
  #waitingForChange: (() => void)[] = []

  constructor(options: InformerOptions<T>) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#log = options.log ?? silentLogger
    this.#store = new Store<T>({
      ...(options.indexes !== undefined && { indexes: options.indexes }),
      onIndexError: (index, key, error) =>
        this.#log.error('An index function threw; the object is not in that index.', {
          index,
          object: key,
          error,
        }),
    })
    this.#transform = this.#createTransform()
    this.view = new CacheView(this.#store, this.#ownWrites)
    this.known = new Promise((resolve) => {
      this.#markKnown = resolve
    })
  }

  get hasSynced(): boolean {
    return this.#synced
  }

  get health(): InformerHealth {
    return {
      description: this.#options.source.description,
      synced: this.#synced,
      objects: this.#store.size,
      resourceVersion: this.#resourceVersion,
      lastActivityMs: this.#lastActivityMs,
      failure: this.#failure,
    }
  }

  /** Follows the resource until the signal aborts; resolves once it has stopped. The cache stays readable. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, rules, stripManagedFields = false, random = Math.random } = this.#options
    if (this.#isRunning) throw new InformerRunningError(source.description)
    this.#isRunning = true
    this.#armResync()
    try {
      await runReflector(
        {
          source,
          sink: this.#sink,
          clock: this.#clock,
          random,
          log: this.#log,
          stripManagedFields,
          // The source is of this informer's resource, so its objects are of type T.
          transform: this.#transform as ReflectorOptions['transform'],
          rules: { ...defaultReflectorRules, ...rules },
        },
        signal,
      )
    } finally {
      this.#isRunning = false
      this.#resyncTimer?.cancel()
    }
  }

  /** Another index, also of what is cached already. A name that is taken is given to the new function. */
  addIndex(name: string, values: IndexFunction<T>): void {
    this.#store.addIndex(name, values)
  }

  /** What the watch has shown of an object: which one it is, and in which state. */
  versionOf(key: string): ObjectVersion | undefined {
    return this.#store.get(key)
  }

  /** Resolves with the next thing that is heard of the resource. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waitingForChange.push(resolve))
  }

  /**
   * Adds a handler at any time. It first receives what the cache holds, marked as initial, then the changes. Errors in
   * it are logged and do not reach other handlers.
   */
  addHandler(handler: InformerHandler<T>): HandlerRegistration {
    const delivery = new Delivery(handler, this.#log)
    this.#deliveries.add(delivery)
    if (this.#synced) delivery.deliverPresent(this.#store.values(), 'initial')
    return {
      get hasSynced() {
        return delivery.hasSynced
      },
      synced: delivery.synced,
      remove: () => {
        delivery.remove()
        this.#deliveries.delete(delivery)
      },
    }
  }

  /** A write of ours was answered with this object: reads show it from now on. */
  wrote(object: T | DeepReadonly<T>): void {
    const { metadata } = object
    const shown = this.#store.get(keyOf(metadata.namespace ?? '', metadata.name))
    // The watch is often faster than the answer.
    if (isShown(metadata, shown, this.#resourceVersion)) return
    const written = CachedObject.of<T>(object)
    const cached = this.#transform?.(written) ?? written
    if (this.#options.accepts?.(cached) === false) return
    this.#ownWrites.wrote(cached, shown, this.#resourceVersion)
  }

  /** A delete of ours was answered, and the object of this uid is gone for good: reads do not show it any more. */
  deleted(key: string, uid: string): void {
    this.#ownWrites.deleted(key, uid, this.#store.get(key))
  }

  readonly #sink: ReflectorSink = {
    // The source is of this informer's resource, so its objects are of type T.
    replace: (snapshot, resourceVersion) => this.#replace(snapshot as Snapshot<T>, resourceVersion),
    missing: async () => {
      // Of a resource that was never there nothing is known, not even that it is empty: its handlers go on waiting.
      if (this.#synced) await this.#replace(new Snapshot<T>(), '')
      this.#markKnown()
    },
    put: (object) => this.#put(object as CachedObject<T>),
    remove: (object) => this.#remove(object as CachedObject<T>),
    reached: (resourceVersion) => {
      this.#resourceVersion = resourceVersion
      if (this.#ownWrites.size > 0) this.#ownWrites.caughtUpTo(resourceVersion)
      this.#tellChange()
    },
    historyWentBack: () => this.#ownWrites.clear(),
    active: () => {
      this.#lastActivityMs = this.#clock.monotonic()
      this.#failure = undefined
    },
    failed: (reason, error) => {
      this.#failure = { reason, error }
      this.#options.onFailure?.(reason)
    },
  }

  async #replace(snapshot: Snapshot<T>, resourceVersion: string): Promise<void> {
    const isFirst = !this.#synced
    const before = await this.#store.replace(snapshot)
    this.#resourceVersion = resourceVersion
    this.#ownWrites.relisted(resourceVersion)
    this.#synced = true
    if (isFirst) this.#markKnown()
    this.#tellChange()
    // The reflector waits for this, so neither state changes meanwhile.
    await Promise.all(
      Array.from(this.#deliveries, (delivery) => delivery.deliverAll(differences(before, snapshot, isFirst))),
    )
  }

  #put(object: CachedObject<T>): void {
    const stored = this.#store.get(object.key)
    if (this.#ownWrites.size > 0) this.#ownWrites.caughtUpWith(object.key, object, false)
    // A server that says again what it has said before, as some do when a watch is resumed.
    if (stored !== undefined && isSameState(stored, object)) return
    const old = stored === undefined ? undefined : this.#lastStateOf(stored)
    this.#store.set(object)
    if (old === undefined) this.#tell({ type: 'add', object, initial: false })
    else if (old.uid === object.uid) this.#tell({ type: 'update', old, object })
    else {
      this.#tell({ type: 'delete', last: old, finalStateUnknown: true })
      this.#tell({ type: 'add', object, initial: false })
    }
  }

  /** To be called before the store changes an object: what somebody has yet to be told of it, is told now. */
  #lastStateOf(stored: StoredObject<T>): CachedObject<T> {
    for (const delivery of this.#deliveries) delivery.deliverBeforeChange(stored)
    return stored.copy()
  }

  #remove(last: CachedObject<T>): void {
    const known = this.#store.get(last.key)
    if (this.#ownWrites.size > 0) this.#ownWrites.caughtUpWith(last.key, last, true)
    // The deletion of an object that was never shown, or of a namesake: nothing here is gone.
    if (known === undefined || known.uid !== last.uid) return
    for (const delivery of this.#deliveries) delivery.deliverBeforeChange(known)
    this.#store.delete(last.key)
    last.detach()
    this.#tell({ type: 'delete', last, finalStateUnknown: false })
  }

  #tellChange(): void {
    if (this.#waitingForChange.length === 0) return
    for (const resolve of this.#waitingForChange.splice(0)) resolve()
  }

  #createTransform(): ((object: CachedObject<T>) => CachedObject<T>) | undefined {
    const { transform } = this.#options
    if (transform === undefined) return undefined
    return (cached) => {
      try {
        return transformed(cached, transform)
      } catch (error) {
        this.#log.error('A transform failed; the object is cached as it came.', { object: cached.key, error })
        return cached
      }
    }
  }

  #tell(notification: Notification<T>): void {
    for (const delivery of this.#deliveries) delivery.deliver(notification)
  }

  #armResync(): void {
    const { resyncMs = 0 } = this.#options
    if (resyncMs <= 0) return
    this.#resyncTimer = this.#clock.setTimer(
      Math.max(1_000, resyncMs),
      () => {
        if (this.#synced)
          for (const delivery of this.#deliveries) delivery.deliverPresent(this.#store.values(), 'resync')
        this.#armResync()
      },
      { background: true },
    )
  }
}

/**
 * What happened between two states: deletions first, so that a name is free before it is taken again. Found as it is
 * asked for: to compare large states takes long.
 */
function* differences<T extends KubeObject>(
  before: Snapshot<T>,
  after: Snapshot<T>,
  isFirst: boolean,
): Iterator<Notification<T>, undefined> {
  let compared = 0
  for (const last of before.values()) {
    if (after.get(last.key)?.uid !== last.uid) yield { type: 'delete', last, finalStateUnknown: true }
    else if (++compared % comparedPerTurn === 0) yield { type: 'pause' }
  }
  for (const object of after.values()) {
    const old = before.get(object.key)
    if (old?.uid === object.uid) yield { type: 'update', old, object }
    else yield { type: 'add', object, initial: isFirst }
  }
  if (isFirst) yield { type: 'synced' }
}

// A few milliseconds.
const comparedPerTurn = 10_000

function isSameState(left: ObjectVersion, right: ObjectVersion): boolean {
  return (
    left.resourceVersion !== '' && left.resourceVersion === right.resourceVersion && left.uid === right.uid
  )
}
