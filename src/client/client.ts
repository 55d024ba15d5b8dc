import type {
  KeyOf,
  Kind,
  KubeList,
  KubeObject,
  TransportRequest,
  TransportResponse,
} from '../objects/index.js'
import type { SendOptions } from './api-caller.js'
import type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PagesOptions,
  WatchOptions,
  WriteOptions,
} from './call-options.js'
import type { Shown } from './object-access.js'
import type { ApplyInput, Patch } from './patch.js'
import type { LogOptions } from './pod-logs.js'
import type { Scale, ScaleInput } from './scale.js'
import type { ServiceAccountToken, TokenOptions } from './service-account-token.js'
import type { SubresourceClient } from './subresources.js'
import type { WatchEvent } from './watch.js'

/** A pod or service account: what lives in a namespace and has a name. */
export interface NamespacedKey {
  readonly namespace: string
  readonly name: string
}

/** A request in one's own words: any method, any path of the API. */
export interface RawRequest extends SendOptions {
  readonly method: TransportRequest['method']
  /** Absolute, with its query, percent-encoded: `/readyz?verbose`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** For errors and logs; method and path unless said otherwise. */
  readonly description?: string
}

/**
 * Everything one can ask of the API server, for any kind. Reads are live; nothing is cached.
 *
 * Every method throws `ApiError` when the server says no, `ConnectionError` when nothing was sent, `UnknownOutcomeError`
 * when a write may or may not have happened, and the signal's reason when it was aborted. Requests are repeated only when
 * that is safe: when the server asks for it (Retry-After), or a read was lost on the way.
 */
export interface Client {
  /** The object as it is now. Throws an error that `isNotFound` recognises when there is none. */
  get<T extends KubeObject, I, M extends boolean = false>(
    kind: Kind<T, I>,
    key: KeyOf<T>,
    options?: GetOptions<M>,
  ): Promise<Shown<T, M>>
  /** One request: all objects, or the page that `limit` and `continue` describe. */
  list<T extends KubeObject, I, M extends boolean = false>(
    kind: Kind<T, I>,
    options?: ListOptions<M>,
  ): Promise<KubeList<Shown<T, M>>>
  /** All objects, read in pages, as one snapshot; read anew, once and in one piece, if that expires half-way. */
  listAll<T extends KubeObject, I, M extends boolean = false>(
    kind: Kind<T, I>,
    options?: PagesOptions<M>,
  ): Promise<KubeList<Shown<T, M>>>
  /** The pages of one snapshot, one by one. Throws an error that `isExpired` recognises if it expires half-way. */
  pages<T extends KubeObject, I, M extends boolean = false>(
    kind: Kind<T, I>,
    options?: PagesOptions<M>,
  ): AsyncIterableIterator<KubeList<Shown<T, M>>>
  /**
   * Changes as they happen. Ends when the server ends the watch; throws when it breaks. The caller resumes from the last
   * version that it saw, and lists again when that has expired (`isExpired`).
   */
  watch<T extends KubeObject, I, M extends boolean = false>(
    kind: Kind<T, I>,
    options?: WatchOptions<M>,
  ): AsyncIterableIterator<WatchEvent<Shown<T, M>>>

  create<T extends KubeObject, I>(kind: Kind<T, I>, object: NoInfer<I>, options?: WriteOptions): Promise<T>
  /** Replaces the object. With a `resourceVersion` in it, only if nothing changed since (`isConflict` otherwise). */
  update<T extends KubeObject, I>(
    kind: Kind<T, I>,
    object: NoInfer<T> | NoInfer<I>,
    options?: WriteOptions,
  ): Promise<T>
  patch<T extends KubeObject, I>(
    kind: Kind<T, I>,
    key: KeyOf<T>,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T>
  /** Server-side apply: creates or changes the object so that it has these fields, and owns them. */
  apply<T extends KubeObject, I>(
    kind: Kind<T, I>,
    object: ApplyInput<NoInfer<T>, NoInfer<I>>,
    options?: ApplyOptions,
  ): Promise<T>
  /** The object as the server returned it, if it did. It may live on until its finalizers are done. */
  delete<T extends KubeObject, I>(
    kind: Kind<T, I>,
    key: KeyOf<T>,
    options?: DeleteOptions,
  ): Promise<T | undefined>
  /** Deletes all that is selected, in one namespace where the kind has namespaces. */
  deleteCollection<T extends KubeObject, I>(kind: Kind<T, I>, options: DeleteCollectionOptions): Promise<void>

  /** Like `update`, for the status alone: the server ignores the rest. */
  updateStatus<T extends KubeObject, I>(
    kind: Kind<T, I>,
    object: NoInfer<T>,
    options?: WriteOptions,
  ): Promise<T>
  patchStatus<T extends KubeObject, I>(
    kind: Kind<T, I>,
    key: KeyOf<T>,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T>
  applyStatus<T extends KubeObject, I>(
    kind: Kind<T, I>,
    object: ApplyInput<NoInfer<T>, NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T>

  getScale<T extends KubeObject, I>(kind: Kind<T, I>, key: KeyOf<T>, options?: CallOptions): Promise<Scale>
  updateScale<T extends KubeObject, I>(
    kind: Kind<T, I>,
    key: KeyOf<T>,
    scale: ScaleInput,
    options?: WriteOptions,
  ): Promise<Scale>
  /** Any other subresource: `client.subresource(Pod, key, 'resize').patch(...)`. */
  subresource<T extends KubeObject, I>(
    kind: Kind<T, I>,
    key: KeyOf<T>,
    subresource: string,
  ): SubresourceClient

  /** Deletes a pod within the limits of its disruption budgets; `isTooManyRequests` when they do not allow it now. */
  evict(pod: NamespacedKey, options?: DeleteOptions): Promise<void>
  createToken(serviceAccount: NamespacedKey, options?: TokenOptions): Promise<ServiceAccountToken>
  /** The log of a pod so far. */
  logs(pod: NamespacedKey, options?: LogOptions): Promise<string>
  /** The lines of a pod's log as they are written. */
  followLogs(pod: NamespacedKey, options?: LogOptions): AsyncIterableIterator<string>

  /** Any request. The response is a success, its body unread: read it, or leave its iteration. */
  request(request: RawRequest): Promise<TransportResponse>
  /** Closes the connections of a client that was made from a configuration. One made from a transport leaves it open. */
  close(): void
}
