import type { GroupResource, StoredApiObject } from '../../api-object.js'
import type { SystemClient } from '../../cluster-state.js'
import type { StoreEvent } from '../../store/store.js'

type Change = Pick<StoreEvent, 'type' | 'resource' | 'key' | 'current'>

/**
 * Objects by the uid of the controller that owns them, and those without one by namespace: a workload finds its own among
 * many without looking at all.
 */
export class ControlledIndex {
  readonly #system: SystemClient
  readonly #resources: ReadonlySet<GroupResource>
  readonly #keys = new Map<string, Set<string>>()
  readonly #filedUnder = new Map<string, string>()

  constructor(system: SystemClient, resources: readonly GroupResource[]) {
    this.#system = system
    this.#resources = new Set(resources)
  }

  note({ type, resource, key, current }: Change): void {
    if (!this.#resources.has(resource)) return
    this.#file(resource, key, type === 'deleted' ? undefined : fileOf(resource, current.object))
  }

  /** What was stored before the first change. */
  noteStored(resource: GroupResource, object: StoredApiObject): void {
    this.#file(
      resource,
      `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`,
      fileOf(resource, object),
    )
  }

  #file(resource: GroupResource, key: string, now: string | undefined): void {
    const id = `${resource} ${key}`
    const before = this.#filedUnder.get(id)
    if (before === now) return
    if (before !== undefined) this.#keys.get(before)?.delete(key)
    if (before !== undefined && this.#keys.get(before)?.size === 0) this.#keys.delete(before)
    this.#filedUnder.delete(id)
    if (now === undefined) return
    this.#filedUnder.set(id, now)
    let keys = this.#keys.get(now)
    if (keys === undefined) this.#keys.set(now, (keys = new Set()))
    keys.add(key)
  }

  /** What the object of this uid controls. */
  controlledBy(uid: string, resource: GroupResource): StoredApiObject[] {
    return this.#read(resource, `${resource} uid ${uid}`)
  }

  /** What nobody controls in a namespace. */
  uncontrolled(namespace: string, resource: GroupResource): StoredApiObject[] {
    return this.#read(resource, `${resource} in ${namespace}`)
  }

  #read(resource: GroupResource, file: string): StoredApiObject[] {
    const found: StoredApiObject[] = []
    for (const key of this.#keys.get(file) ?? []) {
      const slash = key.indexOf('/')
      const object = this.#system.get(resource, key.slice(0, slash), key.slice(slash + 1))
      if (object !== undefined) found.push(object)
    }
    return found
  }
}

function fileOf(resource: GroupResource, { metadata }: StoredApiObject): string {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true)
  return controller === undefined
    ? `${resource} in ${metadata.namespace ?? ''}`
    : `${resource} uid ${controller.uid}`
}
