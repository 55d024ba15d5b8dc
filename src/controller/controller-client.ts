import { KubewrightError } from '../base/index.js'
import type {
  ApplyInput,
  ApplyOptions,
  CallOptions,
  Client,
  DeleteCollectionOptions,
  DeleteOptions,
  ListOptions,
  NamespacedKey,
  PagesOptions,
  Patch,
  Scale,
  ScaleInput,
  SubresourceClient,
  WriteOptions,
} from '../client/index.js'
import {
  type AnyKind,
  formatKey,
  type InputOf,
  type KeyOf,
  type Kind,
  type KubeList,
  type KubeObject,
  type ObjectOf,
  resourceNameOf,
  type Verb,
} from '../objects/index.js'
import type { Access } from './access.js'

/** The kinds among the accesses on which a verb is allowed. */
export type KindsWith<A extends Access, V extends Verb, S extends string = ''> =
  A extends Access<infer K, infer Verbs, infer Sub>
    ? V extends Verbs
      ? S extends Sub
        ? K
        : never
      : never
    : never

/**
 * The client of a reconcile. It reads live and writes, but only what its controller has declared: anything else does not
 * compile, and fails at run time where types were switched off. What it writes, the cache shows at once. After the run
 * has ended, timed out or lost its lease, writes are refused.
 */
export interface ControllerClient<A extends Access> {
  get<K extends KindsWith<A, 'get'>>(
    kind: K,
    key: KeyOf<ObjectOf<K>>,
    options?: CallOptions,
  ): Promise<ObjectOf<K>>
  list<K extends KindsWith<A, 'list'>>(kind: K, options?: ListOptions<false>): Promise<KubeList<ObjectOf<K>>>
  /** All objects, read in pages, as one snapshot. */
  listAll<K extends KindsWith<A, 'list'>>(
    kind: K,
    options?: PagesOptions<false>,
  ): Promise<KubeList<ObjectOf<K>>>
  create<K extends KindsWith<A, 'create'>>(
    kind: K,
    object: InputOf<K>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  update<K extends KindsWith<A, 'update'>>(
    kind: K,
    object: ObjectOf<K> | InputOf<K>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  patch<K extends KindsWith<A, 'patch'>>(
    kind: K,
    key: KeyOf<ObjectOf<K>>,
    patch: Patch<ObjectOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  /** Server-side apply. */
  apply<K extends KindsWith<A, 'patch'>>(
    kind: K,
    object: ApplyInput<ObjectOf<K>, InputOf<K>>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>
  delete<K extends KindsWith<A, 'delete'>>(
    kind: K,
    key: KeyOf<ObjectOf<K>>,
    options?: DeleteOptions,
  ): Promise<ObjectOf<K> | undefined>
  /** Deletes all that is selected. What went shows in the cache with the watch. */
  deleteCollection<K extends KindsWith<A, 'deletecollection'>>(
    kind: K,
    options: DeleteCollectionOptions,
  ): Promise<void>
  updateStatus<K extends KindsWith<A, 'update', 'status'>>(
    kind: K,
    object: ObjectOf<K>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  patchStatus<K extends KindsWith<A, 'patch', 'status'>>(
    kind: K,
    key: KeyOf<ObjectOf<K>>,
    patch: Patch<ObjectOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  applyStatus<K extends KindsWith<A, 'patch', 'status'>>(
    kind: K,
    object: ApplyInput<ObjectOf<K>, ObjectOf<K>>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>
  getScale<K extends KindsWith<A, 'get', 'scale'>>(
    kind: K,
    key: KeyOf<ObjectOf<K>>,
    options?: CallOptions,
  ): Promise<Scale>
  updateScale<K extends KindsWith<A, 'update', 'scale'>>(
    kind: K,
    key: KeyOf<ObjectOf<K>>,
    scale: ScaleInput,
    options?: WriteOptions,
  ): Promise<Scale>
  /** Any other subresource that was declared; each verb is checked when it is used. */
  subresource<S extends SubresourcesOf<A>>(
    kind: KindsWithSubresource<A, S>,
    key: KeyOf<KubeObject>,
    subresource: S,
  ): SubresourceClient
  /** Deletes a pod within the limits of its disruption budgets. Needs `subresourceAccess(Pod, 'eviction', 'create')`. */
  evict(
    pod: [KindsWith<A, 'create', 'eviction'>] extends [never] ? never : NamespacedKey,
    options?: DeleteOptions,
  ): Promise<void>
}

/** The subresources that were declared for any kind. */
type SubresourcesOf<A extends Access> =
  A extends Access<AnyKind, Verb, infer S> ? (S extends '' ? never : S) : never

/** The kinds for which a subresource was declared. */
type KindsWithSubresource<A extends Access, S extends string> =
  A extends Access<infer K, Verb, infer Sub> ? (S extends Sub ? K : never) : never

/** A reconcile used a verb or a kind that its controller has not declared. */
export class UndeclaredAccessError extends KubewrightError {
  constructor(controller: string, verb: Verb, resource: string) {
    super(
      `The controller ${controller} may not ${verb} ${resource}: it has not declared it. ` +
        `Add it to "owns", or to "uses" with access(Kind, '${verb}').`,
      { code: 'KW_UNDECLARED_ACCESS' },
    )
  }
}

export interface ControllerClientOptions {
  readonly controller: string
  readonly client: Client
  readonly accesses: readonly Access[]
  /** Given to every call that names no signal of its own. Asked for with the first call. */
  readonly signal: AbortSignal
  /** Called before every write; throws when the run may not write (any more). */
  readonly beforeWrite: () => void
  /** The server answered a write with this object. */
  readonly wrote: (kind: AnyKind, object: KubeObject) => void
  /** The server answered that the object is gone. */
  readonly removed: (kind: AnyKind, key: string, uid: string | undefined) => void
}

type ResourceNames = Pick<AnyKind, 'group' | 'kind' | 'plural'>

// Not the built-in kind itself: with it, all kinds of its group would be loaded.
const pods: ResourceNames = { group: '', kind: 'Pod', plural: 'pods' }

/** A client that does only what was declared, and only while its run may. */
export function createControllerClient(options: ControllerClientOptions): ControllerClient<Access> {
  const { client, accesses, beforeWrite, wrote, removed } = options

  const check = (kind: ResourceNames, verb: Verb, subresource = ''): void => {
    for (const declared of accesses) {
      if (
        declared.subresource === subresource &&
        declared.kind.kind === kind.kind &&
        declared.kind.group === kind.group &&
        declared.verbs.includes(verb)
      ) {
        return
      }
    }
    const resource = resourceNameOf(kind)
    throw new UndeclaredAccessError(
      options.controller,
      verb,
      subresource === '' ? resource : `${resource}/${subresource}`,
    )
  }
  const withSignal = <O extends CallOptions>(given: O | undefined): O =>
    ({ signal: options.signal, ...given }) as O
  const writing = async <T extends KubeObject>(
    kind: AnyKind,
    verb: Verb,
    subresource: string,
    send: () => Promise<T>,
  ): Promise<T> => {
    check(kind, verb, subresource)
    beforeWrite()
    const written = await send()
    wrote(kind, written)
    return written
  }
  // Which objects a kind has is settled by the declared types; here any kind is one of any objects.
  const any = (kind: AnyKind): Kind<KubeObject, unknown> => kind

  const restricted = {
    async get(kind: AnyKind, key: KeyOf<KubeObject>, given?: CallOptions) {
      check(kind, 'get')
      return client.get(any(kind), key, withSignal(given))
    },
    async list(kind: AnyKind, given?: ListOptions<false>) {
      check(kind, 'list')
      return client.list(any(kind), withSignal(given))
    },
    async listAll(kind: AnyKind, given?: PagesOptions<false>) {
      check(kind, 'list')
      return client.listAll(any(kind), withSignal(given))
    },
    create: (kind: AnyKind, object: unknown, given?: WriteOptions) =>
      writing(kind, 'create', '', () => client.create(any(kind), object, withSignal(given))),
    update: (kind: AnyKind, object: unknown, given?: WriteOptions) =>
      writing(kind, 'update', '', () => client.update(any(kind), object, withSignal(given))),
    patch: (kind: AnyKind, key: KeyOf<KubeObject>, patch: Patch<KubeObject>, given?: WriteOptions) =>
      writing(kind, 'patch', '', () => client.patch(any(kind), key, patch, withSignal(given))),
    apply: (kind: AnyKind, object: ApplyInput<KubeObject, unknown>, given?: ApplyOptions) =>
      writing(kind, 'patch', '', () => client.apply(any(kind), object, withSignal(given))),
    async delete(kind: AnyKind, key: KeyOf<KubeObject>, given?: DeleteOptions) {
      check(kind, 'delete')
      beforeWrite()
      const last = await client.delete(any(kind), key, withSignal(given))
      // An object in the answer lives on, for its finalizers or its grace.
      if (last === undefined) removed(kind, formatKey(key), given?.preconditions?.uid)
      else if (last.metadata.deletionTimestamp !== undefined) wrote(kind, last)
      return last
    },
    async deleteCollection(kind: AnyKind, given: DeleteCollectionOptions) {
      check(kind, 'deletecollection')
      beforeWrite()
      return client.deleteCollection(any(kind), withSignal(given))
    },
    updateStatus: (kind: AnyKind, object: KubeObject, given?: WriteOptions) =>
      writing(kind, 'update', 'status', () => client.updateStatus(any(kind), object, withSignal(given))),
    patchStatus: (kind: AnyKind, key: KeyOf<KubeObject>, patch: Patch<KubeObject>, given?: WriteOptions) =>
      writing(kind, 'patch', 'status', () => client.patchStatus(any(kind), key, patch, withSignal(given))),
    applyStatus: (kind: AnyKind, object: ApplyInput<KubeObject, KubeObject>, given?: ApplyOptions) =>
      writing(kind, 'patch', 'status', () => client.applyStatus(any(kind), object, withSignal(given))),
    async getScale(kind: AnyKind, key: KeyOf<KubeObject>, given?: CallOptions) {
      check(kind, 'get', 'scale')
      return client.getScale(any(kind), key, withSignal(given))
    },
    async updateScale(kind: AnyKind, key: KeyOf<KubeObject>, scale: ScaleInput, given?: WriteOptions) {
      check(kind, 'update', 'scale')
      beforeWrite()
      return client.updateScale(any(kind), key, scale, withSignal(given))
    },
    subresource(kind: AnyKind, key: KeyOf<KubeObject>, subresource: string): SubresourceClient {
      const sub = client.subresource(any(kind), key, subresource)
      // What comes back need not be the object itself, so the cache shows it with the watch.
      const write = async <R>(verb: Verb, send: () => Promise<R>): Promise<R> => {
        check(kind, verb, subresource)
        beforeWrite()
        return send()
      }
      return {
        async get(given) {
          check(kind, 'get', subresource)
          return sub.get(withSignal(given))
        },
        create: (body, given) => write('create', () => sub.create(body, withSignal(given))),
        update: (body, given) => write('update', () => sub.update(body, withSignal(given))),
        patch: (patch, given) => write('patch', () => sub.patch(patch, withSignal(given))),
        apply: (body, given) => write('patch', () => sub.apply(body, withSignal(given))),
      }
    },
    async evict(pod: NamespacedKey, given?: DeleteOptions) {
      check(pods, 'create', 'eviction')
      beforeWrite()
      return client.evict(pod, withSignal(given))
    },
  }
  // The methods above are those of the interface with its type parameters erased.
  return restricted as unknown as ControllerClient<Access>
}
