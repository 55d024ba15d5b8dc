import type { CachedObject } from '../cache/index.js'
import type { AnyKind, Kind, KubeObject, ObjectKey, ObjectOf } from '../objects/index.js'
import type { ControllerCache } from './controller-cache.js'
import type { Predicate } from './predicate.js'

/** Which objects to run for when an object of another kind changes. */
export type MapFunction<T extends KubeObject> = (
  object: CachedObject<T>,
  context: { readonly cache: ControllerCache<AnyKind> },
) => Iterable<ObjectKey>

/** Another kind that a controller follows, and whom its changes wake. */
export interface Watch<K extends AnyKind = AnyKind> {
  readonly kind: K
  readonly map: MapFunction<KubeObject>
  readonly when: Predicate | undefined
}

/**
 * Follows another kind: `watch(Secret, (secret) => [{ namespace: secret.namespace, name: secret.labels['foo'] }])`.
 * On an update the map is asked for the old and the new object, so that whoever lost it is woken too.
 */
export function watch<K extends AnyKind>(
  kind: K,
  map: MapFunction<ObjectOf<K>>,
  options: { readonly when?: Predicate<ObjectOf<K>> } = {},
): Watch<K> {
  // The informer behind it is of this kind, so the functions only ever see its objects.
  return { kind, map: map as MapFunction<KubeObject>, when: options.when as Predicate | undefined }
}

/** The key of the controlling owner of a kind, if the object has one. */
export function controllingOwner(
  kind: Kind<KubeObject, unknown>,
  cached: CachedObject,
): ObjectKey | undefined {
  for (const owner of cached.ownerReferences) {
    if (owner.controller !== true || owner.kind !== kind.kind) continue
    // The version of the reference may be an older one of the same group.
    const group = owner.apiVersion.includes('/')
      ? owner.apiVersion.slice(0, owner.apiVersion.indexOf('/'))
      : ''
    if (group !== kind.group) continue
    return kind.scope === 'Cluster' ? { name: owner.name } : { namespace: cached.namespace, name: owner.name }
  }
  return undefined
}
