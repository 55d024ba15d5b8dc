import { type Clock, KubewrightError, type Random, raceAbort, sleep, systemClock } from '../base/index.js'
import type { Client } from '../client/index.js'
import {
  apiVersionOf,
  formatFieldSelector,
  formatLabelSelector,
  type Kind,
  type KubeObject,
  type LabelSelectorInput,
  matchesLabels,
  parseLabelSelector,
  resourceNameOf,
} from '../objects/index.js'
import { type Logger, silentLogger } from '../observe/index.js'
import { createClientSource, type ResourceScope } from './client-source.js'
import { Informer, type InformerHealth } from './informer.js'
import { KindCache } from './kind-cache.js'
import type { ReflectorRules } from './reflector-state.js'
import type { IndexFunction } from './store.js'

/** How one kind is cached. */
export interface KindCacheOptions<T extends KubeObject = KubeObject> {
  /** Only objects with these labels; the server sends no others. */
  readonly labelSelector?: LabelSelectorInput
  readonly fieldSelector?: string | Readonly<Record<string, string>>
  /** These namespaces in place of the cache's own. */
  readonly namespaces?: readonly string[]
  /** Ask the server for metadata alone: spec and status are not there. */
  readonly metadataOnly?: boolean
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>
  readonly resyncMs?: number
  readonly stripManagedFields?: boolean
}

export interface SharedCacheOptions {
  readonly client: Client
  /** Absent: all namespaces. */
  readonly namespaces?: readonly string[]
  /** For every kind that does not say otherwise. Zero or absent: no resync. */
  readonly resyncMs?: number
  readonly stripManagedFields?: boolean
  readonly rules?: Partial<ReflectorRules>
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Logger
}

/** A kind was asked for with options after it had been set up with others. */
export class CacheConflictError extends KubewrightError {
  constructor(resource: string) {
    super(`${resource} is already cached with other options. Set its options where it is first asked for.`, {
      code: 'KW_CACHE_CONFLICT',
    })
  }
}

/** The caches did not fill in time. Names what is missing and why. */
export class CacheSyncTimeoutError extends KubewrightError {
  readonly missing: readonly InformerHealth[]

  constructor(timeoutMs: number, missing: readonly InformerHealth[]) {
    const reasons = missing.map(
      ({ description, failure }) =>
        `${description} (${failure === undefined ? 'no answer yet' : (failure.error?.message ?? failure.reason)})`,
    )
    super(
      `The caches were not filled within ${timeoutMs} ms: ${reasons.join('; ')}. ` +
        'Check that the CRDs are installed, that the server can be reached, and that get, list and watch are permitted.',
      { code: 'KW_CACHE_SYNC_TIMEOUT' },
    )
    this.missing = missing
  }
}

/** One informer for each kind and scope, however many use it. */
export interface SharedCache {
  /**
   * The cache of a kind. The first call sets it up; one made while the cache runs starts following at once. Options
   * given again must be the same object.
   */
  of<T extends KubeObject, I>(kind: Kind<T, I>, options?: KindCacheOptions<T>): KindCache<T>
  /** Follows all kinds until the signal aborts; resolves once everything has stopped. */
  run(signal: AbortSignal): Promise<void>
  /**
   * Resolves when all kinds asked for so far hold a complete state, or do not exist on the server: a missing CRD keeps
   * waiting only those who follow it, and shows in `health`. Throws {@link CacheSyncTimeoutError}.
   */
  synced(options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<void>
  readonly health: InformerHealth[]
}

export function createSharedCache(options: SharedCacheOptions): SharedCache {
  const { clock = systemClock, log = silentLogger } = options
  const kinds = new Map<
    string,
    { readonly cache: KindCache<KubeObject>; readonly options: object | undefined }
  >()
  let start: ((cache: { run(signal: AbortSignal): Promise<void> }) => void) | undefined

  const setUp = <T extends KubeObject, I>(
    kind: Kind<T, I>,
    kindOptions: KindCacheOptions<T>,
  ): KindCache<T> => {
    const namespaces = kind.scope === 'Cluster' ? [] : (kindOptions.namespaces ?? options.namespaces ?? [])
    const { fieldSelector } = kindOptions
    const labels =
      kindOptions.labelSelector === undefined ? undefined : parseLabelSelector(kindOptions.labelSelector)
    const informerIn = (namespace: string | undefined): Informer<T> => {
      const scope: ResourceScope = {
        namespace,
        labelSelector: labels === undefined ? undefined : formatLabelSelector(labels),
        fieldSelector: fieldSelector === undefined ? undefined : formatFieldSelector(fieldSelector),
        metadataOnly: kindOptions.metadataOnly,
      }
      return new Informer<T>({
        source: createClientSource(options.client, kind, scope),
        resyncMs: kindOptions.resyncMs ?? options.resyncMs ?? 0,
        stripManagedFields: kindOptions.stripManagedFields ?? options.stripManagedFields ?? false,
        clock,
        log,
        ...(kindOptions.indexes !== undefined && { indexes: kindOptions.indexes }),
        ...(options.random !== undefined && { random: options.random }),
        ...(options.rules !== undefined && { rules: options.rules }),
        // A field selector cannot be judged here, so an own write is shown only where there is none.
        accepts: (object) =>
          fieldSelector === undefined &&
          kindOptions.metadataOnly !== true &&
          (labels === undefined || matchesLabels(labels, object.labels)),
      })
    }
    return new KindCache(
      namespaces.length === 0
        ? new Map([['', informerIn(undefined)]])
        : new Map(namespaces.map((namespace) => [namespace, informerIn(namespace)])),
    )
  }

  return {
    of<T extends KubeObject, I>(kind: Kind<T, I>, kindOptions?: KindCacheOptions<T>): KindCache<T> {
      const id = `${apiVersionOf(kind)}/${kind.plural}`
      const known = kinds.get(id)
      if (known !== undefined) {
        if (kindOptions !== undefined && kindOptions !== known.options)
          throw new CacheConflictError(resourceNameOf(kind))
        // The same id is the same kind, and so the same type of object.
        return known.cache as unknown as KindCache<T>
      }
      const cache = setUp(kind, kindOptions ?? {})
      kinds.set(id, { cache: cache as unknown as KindCache<KubeObject>, options: kindOptions })
      start?.(cache)
      return cache
    },

    async run(signal) {
      const runs: Promise<void>[] = []
      // A run ends only with the signal; one that fails is a bug, and must be heard of at once.
      const failed = new Promise<never>((_, reject) => {
        start = (cache) => runs.push(cache.run(signal).catch(reject))
      })
      for (const { cache } of kinds.values()) start?.(cache)
      try {
        await Promise.race([failed, aborted(signal)])
      } finally {
        start = undefined
        await Promise.all(runs)
      }
    },

    async synced({ timeoutMs, signal }) {
      const timeout = new AbortController()
      const waiting = Promise.all(Array.from(kinds.values(), ({ cache }) => cache.known))
      const expired = sleep(clock, timeoutMs, timeout.signal).then(() => {
        throw new CacheSyncTimeoutError(
          timeoutMs,
          this.health.filter((health) => !health.synced),
        )
      })
      try {
        await raceAbort(Promise.race([waiting, expired]), signal)
      } finally {
        timeout.abort()
        expired.catch(() => {})
      }
    },

    get health() {
      return Array.from(kinds.values(), ({ cache }) => cache.health).flat()
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
