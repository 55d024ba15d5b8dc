import { type DeepReadonly, KubewrightError } from '../base/index.js'
import type { CacheListOptions, Lister, SharedCache } from '../cache/index.js'
import { type AnyKind, type KeyOf, type KubeObject, type ObjectOf, resourceNameOf } from '../objects/index.js'

/**
 * Reads of the kinds that a controller follows, synchronous and frozen. Own writes are visible at once. Other kinds do
 * not compile: nobody starts to cache every Secret of a cluster by accident.
 */
export interface ControllerCache<C extends AnyKind> {
  /** The object, or undefined when there is none. */
  get<K extends C>(kind: K, key: KeyOf<ObjectOf<K>>): DeepReadonly<ObjectOf<K>> | undefined
  list<K extends C>(kind: K, options?: CacheListOptions): DeepReadonly<ObjectOf<K>>[]
  byIndex<K extends C>(kind: K, index: string, value: string): DeepReadonly<ObjectOf<K>>[]
}

/** A reconcile read a kind from the cache that its controller does not follow. */
export class UncachedKindError extends KubewrightError {
  constructor(controller: string, resource: string) {
    super(
      `The controller ${controller} does not follow ${resource}, so it is not in the cache. ` +
        'Add it to "owns" or "watches", or read it live with client.get.',
      { code: 'KW_UNCACHED_KIND' },
    )
  }
}

export function createControllerCache(
  controller: string,
  cache: SharedCache,
  followed: readonly AnyKind[],
): ControllerCache<AnyKind> {
  // A kind is looked up by itself first: its names are compared only for another description of the same one.
  const listers = new Map<AnyKind, Lister<KubeObject>>()
  const lister = (kind: AnyKind): Lister<KubeObject> => {
    const known = listers.get(kind)
    if (known !== undefined) return known
    const isFollowed = followed.some(
      (each) => each.kind === kind.kind && each.group === kind.group && each.version === kind.version,
    )
    if (!isFollowed) throw new UncachedKindError(controller, resourceNameOf(kind))
    const found = cache.of(kind)
    listers.set(kind, found)
    return found
  }
  const erased = {
    get: (kind: AnyKind, key: KeyOf<KubeObject>) => lister(kind).get(key),
    list: (kind: AnyKind, options?: CacheListOptions) => lister(kind).list(options),
    byIndex: (kind: AnyKind, index: string, value: string) => lister(kind).byIndex(index, value),
  }
  // The methods above are those of the interface with its type parameters erased.
  return erased as unknown as ControllerCache<AnyKind>
}
