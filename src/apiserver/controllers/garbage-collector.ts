import { isPlainObject } from '../../base/index.js'
import { type OwnerReference, parseApiVersion } from '../../objects/index.js'
import type { Logger } from '../../observe/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { Nature, SystemClient } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import type { StoreEvent } from '../store/store.js'
import { OwnerGraph, ownersOf, type Place } from './owner-graph.js'
import { WorkQueue } from './work-queue.js'

export interface GarbageCollectorOptions {
  readonly system: SystemClient
  readonly nature: Nature
  readonly log: Logger
}

const orphanFinalizer = 'orphan'
const foregroundFinalizer = 'foregroundDeletion'

/**
 * Deletes what has lost all its owners. Owners are matched by uid. One that lives in another namespace counts as lost; a
 * cluster-scoped object whose owner lives in a namespace is never collected.
 */
export class GarbageCollector {
  readonly #system: SystemClient
  readonly #graph = new OwnerGraph()
  readonly #queue: WorkQueue
  readonly #unsubscribe: () => void

  constructor(options: GarbageCollectorOptions) {
    this.#system = options.system
    this.#queue = new WorkQueue({
      name: 'The garbage collector',
      nature: options.nature,
      log: options.log,
      work: (uid) => this.#visit(uid),
    })
    this.#unsubscribe = options.system.onChange((event) => this.#note(event))
  }

  /** What is stored already: to be told once, at the start. */
  begin(events: Iterable<Pick<StoreEvent, 'type' | 'resource' | 'current'>>): void {
    for (const event of events) this.#note(event)
  }

  stop(): void {
    this.#unsubscribe()
    this.#queue.stop()
  }

  #note(event: Pick<StoreEvent, 'type' | 'resource' | 'current'>): void {
    if (event.type === 'added' && !mayMatter(event.current.json)) return
    const { object } = event.current
    const { uid = '' } = object.metadata
    this.#graph.note(event)
    if (event.type === 'deleted') {
      for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid)
      // An owner that waits for its dependents may have waited for this one.
      for (const owner of ownersOf(object)) this.#queue.add(owner.uid)
      return
    }
    // Dependents first: they see their owner wait for them even if none of them blocks it.
    if (isLeaving(object) && hasFinalizer(object, foregroundFinalizer))
      for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid)
    if (ownersOf(object).length > 0 || isLeaving(object)) this.#queue.add(uid)
    // A dependent that has let go of its owner, or does not block it any more, may have been the last.
    for (const owner of ownersOf(object)) this.#queue.add(owner.uid)
  }

  async #visit(uid: string): Promise<void> {
    const place = this.#graph.place(uid)
    if (place === undefined) return
    const object = this.#read(place)
    if (object === undefined) return
    try {
      if (hasFinalizer(object, orphanFinalizer) && isLeaving(object)) await this.#orphan(place, object)
      else if (hasFinalizer(object, foregroundFinalizer) && isLeaving(object))
        await this.#deleteBefore(place, object)
      else await this.#collect(place, object)
    } catch (error) {
      // It has gone already. A conflict is tried again.
      if (!(error instanceof ApiFailure && error.status.code === 404)) throw error
    }
  }

  #read({ resource, namespace, name, uid }: Place): StoredApiObject | undefined {
    const object = this.#system.get(resource, namespace, name)
    return object?.metadata.uid === uid ? object : undefined
  }

  /** Its dependents are to live on without it. */
  async #orphan(place: Place, object: StoredApiObject): Promise<void> {
    for (const dependent of this.#graph.dependentsOf(place.uid))
      await this.#dropOwners(dependent, [place.uid])
    await this.#removeFinalizer(place, object, orphanFinalizer)
  }

  /** It goes when the dependents that block it have gone. */
  async #deleteBefore(place: Place, object: StoredApiObject): Promise<void> {
    const blocking = this.#graph.dependentsOf(place.uid).filter((dependent) => {
      const owner = ownersOf(this.#read(dependent) ?? object).find((each) => each.uid === place.uid)
      return owner?.blockOwnerDeletion === true
    })
    if (blocking.length === 0) await this.#removeFinalizer(place, object, foregroundFinalizer)
  }

  async #collect(place: Place, object: StoredApiObject): Promise<void> {
    if (isLeaving(object)) return
    const owners = ownersOf(object).map((reference) => ({
      reference,
      state: this.#stateOf(reference, place),
    }))
    if (owners.length === 0 || owners.some(({ state }) => state === 'unknown')) return
    const kept = owners.filter(({ state }) => state === 'there')
    const waiting = owners.filter(({ state }) => state === 'waiting')
    if (kept.length > 0) {
      if (kept.length === owners.length) return
      const gone = owners.filter(({ state }) => state !== 'there').map(({ reference }) => reference.uid)
      return this.#dropOwners(place, gone)
    }
    const dependents = this.#graph.dependentsOf(place.uid)
    const isForeground = waiting.length > 0 && dependents.length > 0
    // Each of a circle would wait for the next for ever: this one lets its owners go before it has gone.
    const isInCircle = isForeground && dependents.some((dependent) => isWaiting(this.#read(dependent)))
    const { metadata } = isInCircle ? await this.#unblockOwners(place, object) : object
    await this.#system.delete(place.resource, place.namespace, place.name, {
      uid: place.uid,
      propagationPolicy: isForeground ? 'Foreground' : policyOf(object),
      ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
    })
  }

  /** Whether an owner is there, waits for this very dependent to go, is gone, or cannot be judged. */
  #stateOf(owner: Readonly<OwnerReference>, dependent: Place): 'there' | 'waiting' | 'gone' | 'unknown' {
    const { group, version } = parseApiVersion(owner.apiVersion)
    const known = Array.from(this.#system.resources()).find(
      (each) => each.group === group && each.kind === owner.kind && each.versions.includes(version),
    )
    // A kind that is not served may be served again: nothing is deleted for it.
    if (known === undefined) return 'unknown'
    if (known.isNamespaced && dependent.namespace === '') return 'unknown'
    const found = this.#system.get(known.resource, known.isNamespaced ? dependent.namespace : '', owner.name)
    if (found === undefined || found.metadata.uid !== owner.uid) return 'gone'
    return isWaiting(found) ? 'waiting' : 'there'
  }

  async #unblockOwners(place: Place, object: StoredApiObject): Promise<StoredApiObject> {
    const ownerReferences = ownersOf(object).map((owner) =>
      owner.blockOwnerDeletion === true ? { ...owner, blockOwnerDeletion: false } : owner,
    )
    return this.#system.patch(place.resource, place.namespace, place.name, {
      metadata: { uid: place.uid, ownerReferences },
    })
  }

  async #dropOwners(place: Place, uids: readonly string[]): Promise<void> {
    const object = this.#read(place)
    if (object === undefined) return
    const kept = ownersOf(object).filter(({ uid }) => !uids.includes(uid))
    if (kept.length === ownersOf(object).length) return
    await this.#system.patch(place.resource, place.namespace, place.name, {
      metadata: { uid: place.uid, ownerReferences: kept.length === 0 ? null : kept },
    })
  }

  async #removeFinalizer(place: Place, object: StoredApiObject, finalizer: string): Promise<void> {
    const { finalizers = [], resourceVersion } = object.metadata
    const kept = finalizers.filter((each) => each !== finalizer)
    await this.#system.patch(place.resource, place.namespace, place.name, {
      metadata: {
        uid: place.uid,
        ...(resourceVersion !== undefined && { resourceVersion }),
        finalizers: kept.length === 0 ? null : kept,
      },
    })
  }
}

/** Most objects are owned by nobody and stay: their bytes say so sooner than they are parsed. */
function mayMatter(json: Buffer): boolean {
  return json.includes('"ownerReferences"') || json.includes('"deletionTimestamp"')
}

function isLeaving(object: StoredApiObject): boolean {
  return isPlainObject(object.metadata) && object.metadata.deletionTimestamp !== undefined
}

function hasFinalizer(object: StoredApiObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true
}

/** Whether it goes as soon as its dependents have gone. */
function isWaiting(object: StoredApiObject | undefined): boolean {
  return object !== undefined && isLeaving(object) && hasFinalizer(object, foregroundFinalizer)
}

/** What an object was told about its own dependents goes on when it is collected. */
function policyOf(object: StoredApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(object, orphanFinalizer)) return 'Orphan'
  return hasFinalizer(object, foregroundFinalizer) ? 'Foreground' : 'Background'
}
