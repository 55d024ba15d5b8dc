/**
 * Copies of the server's objects in memory, kept up to date by watches.
 *
 * What holds for everything in this room:
 * - after changes cease, the cache equals the server; states in between may be missed, the last one never;
 * - events of one object come in order; nothing is promised about the order between objects;
 * - a read is synchronous, frozen, and shows our own writes at once;
 * - a cache never gives up: a missing CRD, a dead connection or a withdrawn permission is waited out and shows in
 *   its health.
 *
 * @module
 */
export type { CachedObject } from './cached-object.js'
export { createClientSource, type ResourceScope } from './client-source.js'
export type { AddInfo, DeleteInfo, InformerHandler } from './delivery.js'
export {
  type HandlerRegistration,
  Informer,
  type InformerHealth,
  type InformerOptions,
  InformerRunningError,
} from './informer.js'
export { type CacheListOptions, KindCache, type Lister, UnknownIndexError } from './kind-cache.js'
export { defaultReflectorRules, type ReflectorFailure, type ReflectorRules } from './reflector-state.js'
export type { ResourceSource, WatchQuery } from './resource-source.js'
export {
  CacheConflictError,
  CacheSyncTimeoutError,
  createSharedCache,
  type KindCacheOptions,
  type SharedCache,
  type SharedCacheOptions,
} from './shared-cache.js'
export type { IndexFunction } from './store.js'
export { InvalidTransformError, type Transform } from './transform.js'
