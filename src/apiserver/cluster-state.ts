import type { Clock, Random } from '../base/index.js'
import type { ApiObject, GroupResource, StoredApiObject } from './api-object.js'
import type { StoreEvent } from './store/store.js'

/** Where the server takes time and chance from: with a virtual clock and a seed, a run repeats itself exactly. */
export interface Nature {
  readonly clock: Clock
  readonly random: Random
  /** A new uid, version 4, from `random`. */
  uid(): string
  /** The time now as metadata has it: RFC 3339, whole seconds. */
  timestamp(): string
}

/** What is stored now, for those parts of the server that decide by other objects. */
export interface ClusterState {
  /** In its storage version. `namespace` is empty for cluster-scoped objects. */
  get(resource: GroupResource, namespace: string, name: string): StoredApiObject | undefined
  /** In the order of keys. Without a namespace: of all. */
  list(resource: GroupResource, namespace?: string): readonly StoredApiObject[]
  /** Grows with every change of an object of this resource: what was derived from them holds until then. */
  versionOf?(resource: GroupResource): number
}

export interface SystemDeleteOptions {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
}

/**
 * How the controllers inside the server act: through the same verbs, admission and validation as everybody, as the user
 * that the client was made for. Rejects with ApiFailure. Objects are given and returned in the storage version.
 */
export interface SystemClient extends ClusterState {
  create(resource: GroupResource, object: ApiObject): Promise<StoredApiObject>
  /** Does something to an object: `binding`, `eviction`. The body is that of the subresource. */
  act(
    resource: GroupResource,
    namespace: string,
    name: string,
    subresource: string,
    body: ApiObject,
  ): Promise<void>
  /** Replaces the object; its resourceVersion is a precondition when it is there. */
  update(resource: GroupResource, object: ApiObject, subresource?: string): Promise<StoredApiObject>
  /** A JSON merge patch. */
  patch(
    resource: GroupResource,
    namespace: string,
    name: string,
    patch: unknown,
    subresource?: string,
  ): Promise<StoredApiObject>
  /** Server-side apply, taking from others what they own of it. */
  apply(resource: GroupResource, object: ApiObject): Promise<StoredApiObject>
  delete(
    resource: GroupResource,
    namespace: string,
    name: string,
    options?: SystemDeleteOptions,
  ): Promise<void>
  /** Changes from now on, of all resources, synchronously with each. Returns the function that ends it. */
  onChange(listener: (event: StoreEvent) => void): () => void
  /** The resources that are served now, for those who must look at all of them. */
  resources(): Iterable<{
    readonly resource: GroupResource
    readonly isNamespaced: boolean
    readonly kind: string
    readonly group: string
    readonly versions: readonly string[]
  }>
}
