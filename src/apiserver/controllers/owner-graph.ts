import type { OwnerReference } from '../../objects/index.js'
import type { GroupResource, StoredApiObject } from '../api-object.js'
import type { StoreEvent } from '../store/store.js'

/** Where an object is found. */
export interface Place {
  readonly resource: GroupResource
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** Who owns whom, by uid, as the store has it. */
export class OwnerGraph {
  readonly #places = new Map<string, Place>()
  readonly #owners = new Map<string, readonly string[]>()
  readonly #dependents = new Map<string, Set<string>>()

  place(uid: string): Place | undefined {
    return this.#places.get(uid)
  }

  /** Those that name this uid as an owner, in the order in which they came. */
  dependentsOf(uid: string): Place[] {
    return Array.from(this.#dependents.get(uid) ?? [], (each) => this.#places.get(each)).filter(
      (each) => each !== undefined,
    )
  }

  note({ type, resource, current }: Pick<StoreEvent, 'type' | 'resource' | 'current'>): void {
    const { object } = current
    const { uid = '', namespace = '', name = '' } = object.metadata
    this.#unlink(uid)
    if (type === 'deleted') {
      this.#places.delete(uid)
      return
    }
    this.#places.set(uid, { resource, namespace, name, uid })
    const owners = ownersOf(object).map((owner) => owner.uid)
    if (owners.length === 0) return
    this.#owners.set(uid, owners)
    for (const owner of owners) {
      let dependents = this.#dependents.get(owner)
      if (dependents === undefined) this.#dependents.set(owner, (dependents = new Set()))
      dependents.add(uid)
    }
  }

  #unlink(uid: string): void {
    for (const owner of this.#owners.get(uid) ?? []) {
      const dependents = this.#dependents.get(owner)
      dependents?.delete(uid)
      if (dependents?.size === 0) this.#dependents.delete(owner)
    }
    this.#owners.delete(uid)
  }
}

export function ownersOf(object: StoredApiObject): readonly Readonly<OwnerReference>[] {
  return object.metadata.ownerReferences ?? []
}
