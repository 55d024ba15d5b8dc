import {
  type DeepWritable,
  deepCopy,
  deepEqual,
  getOwn,
  isPlainObject,
  LruMap,
  stringifyJson,
} from '../base/index.js'
import type { ApplyInput, ApplyOptions } from '../client/index.js'
import {
  type AnyKind,
  apiVersionOf,
  formatKey,
  type InputOf,
  type KeyOf,
  type KubeObject,
  type ObjectOf,
} from '../objects/index.js'
import type { Access } from './access.js'
import type { ControllerCache } from './controller-cache.js'
import type { ControllerClient } from './controller-client.js'

/** What had to be done. */
export interface WriteResult<T> {
  readonly result: 'created' | 'updated' | 'unchanged'
  readonly object: T
}

/** The part of a reconcile's context that these functions use. */
export interface WriteContext<K extends AnyKind, V extends 'create' | 'update' | 'patch'> {
  readonly cache: Pick<ControllerCache<K>, 'get'>
  readonly client: Pick<
    ControllerClient<Access<K, V, ''>>,
    V extends 'patch' ? 'apply' : V & ('create' | 'update')
  >
}

/**
 * Creates an object, or changes the one that is there, so that it is as `change` wants it. `change` gets a draft of the
 * cached object, or an empty one, and edits it in place. Nothing is sent when it changes nothing.
 *
 * Throws a conflict (`isConflict`) when the object changed on the server meanwhile: let it be thrown, the retry is right.
 */
export async function createOrUpdate<K extends AnyKind>(
  context: WriteContext<K, 'create' | 'update'>,
  kind: K,
  key: KeyOf<ObjectOf<K>>,
  change: (draft: DeepWritable<InputOf<K>>) => void,
): Promise<WriteResult<ObjectOf<K>>> {
  const present = context.cache.get(kind, key)
  if (present === undefined) {
    const draft = { metadata: { ...key } } as unknown as DeepWritable<InputOf<K>>
    change(draft)
    // A draft is what the kind takes: the writable form of its input.
    return { result: 'created', object: await context.client.create(kind, draft as unknown as InputOf<K>) }
  }
  const draft = deepCopy(present) as unknown as DeepWritable<InputOf<K>>
  change(draft)
  if (deepEqual(draft, present)) return { result: 'unchanged', object: present as unknown as ObjectOf<K> }
  return { result: 'updated', object: await context.client.update(kind, draft as unknown as InputOf<K>) }
}

/** Applies only what is not applied yet. One for each controller: it remembers what it has applied. */
export interface Applier {
  /**
   * Server-side apply of the fields in `desired`. Nothing is sent when the cached object has them all and the last
   * apply of this process was the same. A field that is left out of `desired` since then is given up, as apply does.
   */
  apply<K extends AnyKind>(
    context: WriteContext<K, 'patch'>,
    kind: K,
    desired: ApplyInput<ObjectOf<K>, InputOf<K>>,
    options?: ApplyOptions,
  ): Promise<WriteResult<ObjectOf<K>>>
}

const rememberedApplies = 10_000

export function createApplier(): Applier {
  const applied = new LruMap<string, string>(rememberedApplies)
  return {
    async apply(context, kind, desired, options) {
      // What is applied has a name, and a namespace where its kind has one.
      const { namespace, name } = (desired as { metadata: { namespace?: string; name: string } }).metadata
      const key = { namespace, name } as unknown as KeyOf<ObjectOf<typeof kind>>
      const id = `${apiVersionOf(kind)}/${kind.plural}/${formatKey({ namespace, name })}`
      const text = stringifyJson(desired)
      const present = context.cache.get(kind, key)
      const { uid } = (present as KubeObject | undefined)?.metadata ?? {}
      if (present !== undefined && applied.get(id) === `${uid}${text}` && contains(present, desired)) {
        return { result: 'unchanged', object: present as unknown as ObjectOf<typeof kind> }
      }
      const object = await context.client.apply(kind, desired, options)
      applied.set(id, `${(object as KubeObject).metadata.uid}${text}`)
      return { result: present === undefined ? 'created' : 'updated', object }
    },
  }
}

/** Whether everything in `part` is in `whole`: fields by name, lists item by item. */
function contains(whole: unknown, part: unknown): boolean {
  if (isPlainObject(part)) {
    return (
      isPlainObject(whole) &&
      Object.keys(part).every((key) => part[key] === undefined || contains(getOwn(whole, key), part[key]))
    )
  }
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((item, index) => contains(whole[index], item))
    )
  }
  return deepEqual(whole, part)
}
