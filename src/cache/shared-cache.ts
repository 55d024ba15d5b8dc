import {
  type Clock,
  deepEqual,
  getOwn,
  KubewrightError,
  type Random,
  raceAbort,
  sleep,
  systemClock,
} from '../base/index.js'
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
import { catchUp } from './catch-up.js'
import { createClientSource, type ResourceScope } from './client-source.js'
import { Informer, type InformerHealth } from './informer.js'
import { KindCache } from './kind-cache.js'
import type { ReflectorRules } from './reflector-state.js'
import type { IndexFunction } from './store.js'
import type { Transform } from './transform.js'

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
  /** What of each object is kept, to save memory. What it drops cannot be read from the cache. */
  readonly transform?: Transform<T>
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
  /** Told of every interruption of every informer, for metrics. */
  readonly onFailure?: (description: string, reason: string) => void
}

/** A kind was asked for with options after it had been set up with others. */
export class CacheConflictError extends KubewrightError {
  constructor(resource: string) {
    super(
      `${resource} is already cached with other options. Set them in one place; only indexes may come later.`,
      {
        code: 'KW_CACHE_CONFLICT',
      },
    )
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
   * The cache of a kind. The first call sets it up; one made while the cache runs starts following at once. Later calls
   * may bring further indexes; whatever else they say must be what the first one said.
   */
  of<T extends KubeObject, I>(kind: Kind<T, I>, options?: KindCacheOptions<T>): KindCache<T>
  /** Follows all kinds until the signal aborts; resolves once everything has stopped. */
  run(signal: AbortSignal): Promise<void>
  /**
   * Resolves when all kinds asked for so far hold a complete state, or do not exist on the server: a missing CRD keeps
   * waiting only those who follow it, and shows in `health`. Throws {@link CacheSyncTimeoutError}.
   */
  synced(options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<void>
  /**
   * Resolves when the cache shows everything that had happened before the call. For one who acts on it from now on, after
   * others did: a new leader. Rejects with the reason of the signal.
   */
  caughtUp(signal: AbortSignal): Promise<void>
  readonly health: InformerHealth[]
}

export function createSharedCache(options: SharedCacheOptions): SharedCache {
  const { clock = systemClock, log = silentLogger } = options
  const kinds = new Map<string, CachedKind>()
  let start: ((cache: { run(signal: AbortSignal): Promise<void> }) => void) | undefined

  const setUp = <T extends KubeObject, I>(
    kind: Kind<T, I>,
    kindOptions: KindCacheOptions<T>,
  ): Pick<CachedKind, 'catchUp'> & { readonly cache: KindCache<T> } => {
    const namespaces = kind.scope === 'Cluster' ? [] : (kindOptions.namespaces ?? options.namespaces ?? [])
    const { fieldSelector } = kindOptions
    const labels =
      kindOptions.labelSelector === undefined ? undefined : parseLabelSelector(kindOptions.labelSelector)
    const scopeIn = (namespace: string | undefined): ResourceScope => ({
      namespace,
      labelSelector: labels === undefined ? undefined : formatLabelSelector(labels),
      fieldSelector: fieldSelector === undefined ? undefined : formatFieldSelector(fieldSelector),
      metadataOnly: kindOptions.metadataOnly,
    })
    const informerIn = (namespace: string | undefined): Informer<T> => {
      const source = createClientSource(options.client, kind, scopeIn(namespace))
      return new Informer<T>({
        source,
        onFailure: (reason) => options.onFailure?.(source.description, reason),
        resyncMs: kindOptions.resyncMs ?? options.resyncMs ?? 0,
        stripManagedFields: kindOptions.stripManagedFields ?? options.stripManagedFields ?? false,
        clock,
        log,
        ...(kindOptions.indexes !== undefined && { indexes: kindOptions.indexes }),
        ...(kindOptions.transform !== undefined && { transform: kindOptions.transform }),
        ...(options.random !== undefined && { random: options.random }),
        ...(options.rules !== undefined && { rules: options.rules }),
        // A field selector cannot be judged here, so an own write is shown only where there is none.
        accepts: (object) =>
          fieldSelector === undefined &&
          kindOptions.metadataOnly !== true &&
          (labels === undefined || matchesLabels(labels, object.labels)),
      })
    }
    const informers =
      namespaces.length === 0
        ? new Map([['', informerIn(undefined)]])
        : new Map(namespaces.map((namespace) => [namespace, informerIn(namespace)]))
    const catchUpAll = async (signal: AbortSignal): Promise<void> => {
      const { client } = options
      await Promise.all(
        Array.from(informers, ([namespace, informer]) => {
          const scope = scopeIn(namespace === '' ? undefined : namespace)
          return catchUp(informer, { client, kind, scope, clock, log, signal })
        }),
      )
    }
    return { cache: new KindCache(informers), catchUp: catchUpAll }
  }

  return {
    of<T extends KubeObject, I>(kind: Kind<T, I>, kindOptions?: KindCacheOptions<T>): KindCache<T> {
      const id = `${apiVersionOf(kind)}/${kind.plural}`
      const known = kinds.get(id)
      // The same id is the same kind, and so the same type of object; the map is of all kinds.
      const erasedOptions = (kindOptions ?? {}) as unknown as KindCacheOptions
      if (known !== undefined) {
        addOptions(known, erasedOptions, resourceNameOf(kind))
        return known.cache as unknown as KindCache<T>
      }
      const { cache, catchUp: catchUpKind } = setUp(kind, kindOptions ?? {})
      kinds.set(id, {
        cache: cache as unknown as KindCache<KubeObject>,
        options: { ...erasedOptions },
        catchUp: catchUpKind,
      })
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

    async caughtUp(signal) {
      await Promise.all(Array.from(kinds.values(), (cached) => cached.catchUp(signal)))
    },

    get health() {
      return Array.from(kinds.values(), ({ cache }) => cache.health).flat()
    },
  }
}

interface CachedKind {
  readonly cache: KindCache<KubeObject>
  /** As they were given, with the indexes that came later. */
  options: KindCacheOptions
  catchUp(signal: AbortSignal): Promise<void>
}

/** Takes in the indexes that are new. Throws when the options ask for anything that is not so. */
function addOptions(
  known: CachedKind,
  { indexes = {}, ...others }: KindCacheOptions,
  resource: string,
): void {
  const given: Readonly<Record<string, unknown>> = known.options as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && !deepEqual(value, given[name])) throw new CacheConflictError(resource)
  }
  const present = known.options.indexes ?? {}
  const added = Object.entries(indexes).filter(([name, values]) => getOwn(present, name) !== values)
  if (added.some(([name]) => Object.hasOwn(present, name))) throw new CacheConflictError(resource)
  for (const [name, values] of added) known.cache.addIndex(name, values)
  known.options = { ...known.options, indexes: { ...present, ...indexes } }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
