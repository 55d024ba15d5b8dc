import type { ApiObject, GroupResource, StoredApiObject } from '../api-object.js'

/** One object at one revision. Never changes. */
export interface StoredObject {
  readonly resource: GroupResource
  /** `namespace/name`, or `name` for a cluster-scoped object. */
  readonly key: string
  /** When this state came about: its resourceVersion. */
  readonly revision: number
  /** The version that it was stored in: the storage version of that time. */
  readonly apiVersion: string
  /** The UTF-8 JSON of the object in its storage version, resourceVersion included: ready to be sent. */
  readonly json: Buffer
  /** The same, parsed on the first read and kept as long as somebody holds it. Frozen. */
  readonly object: StoredApiObject
}

/** One change of one object. */
export interface StoreEvent {
  readonly type: 'added' | 'modified' | 'deleted'
  readonly resource: GroupResource
  readonly key: string
  readonly revision: number
  /** The state after the change; for a deletion the last state, at the revision of the deletion. */
  readonly current: StoredObject
  /** The state before it; undefined for an addition. */
  readonly previous: StoredObject | undefined
}

/** What is asked for lies before what the store remembers. */
export class CompactedError extends Error {
  /** The oldest revision that can still be asked for. */
  readonly oldest: number

  constructor(oldest: number) {
    super(`The history begins at revision ${oldest}.`)
    this.name = 'CompactedError'
    this.oldest = oldest
  }
}

/** The object is not at the revision that the write was based on. */
export class RevisionMismatchError extends Error {
  readonly current: StoredObject | undefined

  constructor(current: StoredObject | undefined) {
    super('The object has changed.')
    this.name = 'RevisionMismatchError'
    this.current = current
  }
}

export interface ScanOptions {
  /** Only keys that begin with this: `default/` for a namespace. */
  readonly prefix?: string
  /** Only keys behind this one. */
  readonly after?: string
  /** As it was then, which must be remembered (else {@link CompactedError}). Now, if absent. */
  readonly revision?: number
}

export interface SubscribeOptions {
  /** Only events of this resource. All, if absent. */
  readonly resource?: GroupResource
  /** Events after this revision; those that lie in the past are delivered within the call. */
  readonly after: number
}

/**
 * Objects by resource and key under one revision counter, with the history of the last changes. Everything is
 * synchronous: a write has happened, for every reader, when the call returns. Where there is a disk, `settled` tells
 * when it is safe on it.
 */
export interface Store {
  /** Of the last change. */
  readonly revision: number
  /** The oldest revision that `scan` and `subscribe` accept. */
  readonly oldestRevision: number
  get(resource: GroupResource, key: string): StoredObject | undefined
  /** In the order of keys (bytewise, as etcd). Lazy: must be consumed before the next write. */
  scan(resource: GroupResource, options?: ScanOptions): Iterable<StoredObject>
  count(resource: GroupResource, prefix?: string): number
  /**
   * Stores an object under the next revision, which becomes its resourceVersion. `expected` is the revision that the
   * stored one must have, 0 for none; otherwise {@link RevisionMismatchError}. The draft is read, not kept.
   */
  put(
    resource: GroupResource,
    key: string,
    draft: ApiObject | StoredApiObject,
    expected: number,
  ): StoredObject
  /** Removes an object. `last` is what watchers get to see of it; the stored state, if absent. */
  delete(
    resource: GroupResource,
    key: string,
    expected: number,
    last?: ApiObject | StoredApiObject,
  ): StoredObject
  /** Resolves when everything up to this revision survives the end of the process. */
  settled(revision: number): Promise<void>
  /** Calls back for each change, in order, synchronously with it. Returns the function that ends it. */
  subscribe(options: SubscribeOptions, listener: (event: StoreEvent) => void): () => void
  /** Forgets the history up to and including this revision. Without an argument: all of it. */
  compact(revision?: number): void
  /** A store with the same content and history that goes its own way, in memory. */
  fork(): Store
  close(): Promise<void>
}
