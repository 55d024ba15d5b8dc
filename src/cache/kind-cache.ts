import { type DeepReadonly, KubewrightError } from '../base/index.js'
import {
  formatKey,
  type KeyOf,
  type KubeObject,
  type LabelSelectorInput,
  matchesLabels,
  parseLabelSelector,
} from '../objects/index.js'
import type { CacheView, ViewOptions } from './cache-view.js'
import type { CachedObject } from './cached-object.js'
import type { InformerHandler } from './delivery.js'
import type { HandlerRegistration, Informer, InformerHealth } from './informer.js'
import type { IndexFunction } from './store.js'

export interface CacheListOptions {
  /** Only this namespace. Absent: all that the cache covers. */
  readonly namespace?: string | undefined
  readonly labelSelector?: LabelSelectorInput | undefined
}

/** Reads of the cached objects of one kind: synchronous, frozen, own writes included. */
export interface Lister<T extends KubeObject> {
  /** The object, or undefined when the cache has none of that name. */
  get(key: KeyOf<T>): DeepReadonly<T> | undefined
  list(options?: CacheListOptions): DeepReadonly<T>[]
  /** The same without parsing: read `.object` of the ones you need. */
  entries(options?: CacheListOptions): Iterable<CachedObject<T>>
  /** Objects by the value of an index function. Throws {@link UnknownIndexError}. */
  byIndex(index: string, value: string): DeepReadonly<T>[]
}

/** A cache was asked for an index that it does not keep. */
export class UnknownIndexError extends KubewrightError {
  constructor(index: string) {
    super(`The cache has no index "${index}". Declare it in the indexes of the cache before it starts.`, {
      code: 'KW_UNKNOWN_INDEX',
    })
  }
}

/** All that is cached of one kind: one informer, or one for each namespace that is covered. */
export class KindCache<T extends KubeObject> implements Lister<T> {
  readonly #informers: ReadonlyMap<string, Informer<T>>

  /** Informers by namespace; a single one under `''` covers everything. */
  constructor(informers: ReadonlyMap<string, Informer<T>>) {
    this.#informers = informers
  }

  get(key: KeyOf<T>): DeepReadonly<T> | undefined {
    return this.read(formatKey(key))
  }

  /** By the text of a key. */
  read(key: string): DeepReadonly<T> | undefined {
    return this.#coveringKey(key)?.view.get(key)
  }

  has(key: string): boolean {
    return this.#coveringKey(key)?.view.has(key) === true
  }

  /** By the text of a key, without parsing. */
  getCached(key: string): CachedObject<T> | undefined {
    return this.#coveringKey(key)?.view.getCached(key)
  }

  list(options: CacheListOptions = {}): DeepReadonly<T>[] {
    const found: DeepReadonly<T>[] = []
    for (const view of this.#views(options))
      for (const object of view.objects(viewOptions(options))) found.push(object)
    return found
  }

  *entries(options: CacheListOptions = {}): Iterable<CachedObject<T>> {
    for (const view of this.#views(options)) yield* view.values(viewOptions(options))
  }

  byIndex(index: string, value: string): DeepReadonly<T>[] {
    const found: DeepReadonly<T>[] = []
    for (const informer of this.#informers.values()) {
      const part = informer.view.byIndex(index, value)
      if (part === undefined) throw new UnknownIndexError(index)
      for (const object of part) found.push(object)
    }
    return found
  }

  /** Another index, also of what is cached already. */
  addIndex(name: string, values: IndexFunction<T>): void {
    for (const informer of this.#informers.values()) informer.addIndex(name, values)
  }

  get hasSynced(): boolean {
    return this.health.every((health) => health.synced)
  }

  /** Resolves when every covered namespace holds a complete state, or is known to have no such resource. */
  get known(): Promise<void> {
    return Promise.all(Array.from(this.#informers.values(), (informer) => informer.known)).then(() => {})
  }

  get health(): InformerHealth[] {
    return Array.from(this.#informers.values(), (informer) => informer.health)
  }

  /** The handler hears of every covered namespace. */
  addHandler(handler: InformerHandler<T>): HandlerRegistration {
    const registrations = Array.from(this.#informers.values(), (informer) => informer.addHandler(handler))
    return {
      get hasSynced() {
        return registrations.every((registration) => registration.hasSynced)
      },
      synced: Promise.all(registrations.map((registration) => registration.synced)).then(() => {}),
      remove: () => {
        for (const registration of registrations) registration.remove()
      },
    }
  }

  /** A write of ours was answered with this object. */
  wrote(object: T): void {
    this.#covering(object.metadata.namespace ?? '')?.wrote(object)
  }

  /** A delete of ours was answered: the object of this uid is gone. */
  deleted(key: string, uid: string): void {
    this.#coveringKey(key)?.deleted(key, uid)
  }

  /** Follows the kind until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#informers.values(), (informer) => informer.run(signal)))
  }

  *#views({ namespace }: CacheListOptions): Iterable<CacheView<T>> {
    for (const [covered, informer] of this.#informers) {
      if (namespace === undefined || covered === '' || covered === namespace) yield informer.view
    }
  }

  #coveringKey(key: string): Informer<T> | undefined {
    return this.#covering(key.slice(0, Math.max(0, key.indexOf('/'))))
  }

  #covering(namespace: string): Informer<T> | undefined {
    return this.#informers.get('') ?? this.#informers.get(namespace)
  }
}

function viewOptions({ namespace, labelSelector }: CacheListOptions): ViewOptions {
  if (labelSelector === undefined) return { namespace }
  const selector = parseLabelSelector(labelSelector)
  return { namespace, hasLabels: (labels) => matchesLabels(selector, labels) }
}
