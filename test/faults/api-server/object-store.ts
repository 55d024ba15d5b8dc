import { randomUUID } from 'node:crypto'

/** An object as the peer keeps it: data, nothing more. */
export interface StoredObject {
  apiVersion?: string
  kind?: string
  metadata: StoredMetadata
  [field: string]: unknown
}

export interface StoredMetadata {
  name: string
  namespace?: string
  uid: string
  resourceVersion: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  finalizers?: string[]
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: { uid: string }[]
  [field: string]: unknown
}

export interface StoreEvent {
  readonly revision: number
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly plural: string
  readonly key: string
  readonly object: StoredObject
}

/** What a test writes down of an object; the store adds the rest. */
export type ObjectDraft = Omit<StoredObject, 'metadata'> & {
  metadata: Partial<StoredMetadata> & { name: string }
}

/**
 * The peer's etcd: one revision for all resources, a log of everything that happened, and the accidents of such a
 * store. Its methods are the hands of the test; writes of clients come through the same ones.
 */
export class ObjectStore {
  /** Versions are this plus the revision: beyond 2^53, for example. */
  readonly #versionBase: bigint
  #log: StoreEvent[] = []
  #revision = 100
  #compacted = 0
  readonly #listeners = new Set<(event: StoreEvent) => void>()
  readonly #resources = new Map<string, { kind: string; apiVersion: string }>()

  constructor(versionBase = 0n) {
    this.#versionBase = versionBase
  }

  get revision(): number {
    return this.#revision
  }

  /** Events up to this revision are forgotten. */
  get compactedRevision(): number {
    return this.#compacted
  }

  versionAt(revision: number): string {
    return String(this.#versionBase + BigInt(revision))
  }

  revisionOf(version: string): number {
    return Number(BigInt(version) - this.#versionBase)
  }

  // ---- resources come and go, as those of CRDs do ----

  addResource(plural: string, typeMeta: { kind: string; apiVersion: string }): void {
    this.#resources.set(plural, typeMeta)
  }

  /** The CRD is deleted: its objects go, then the resource itself. */
  removeResource(plural: string): void {
    for (const { metadata } of this.objects(plural)) this.#erase(plural, keyOf(metadata))
    this.#resources.delete(plural)
  }

  typeOf(plural: string): { kind: string; apiVersion: string } | undefined {
    return this.#resources.get(plural)
  }

  // ---- reads ----

  /** All objects as they were at a revision, sorted by key. */
  objects(plural: string, revision = this.#revision): StoredObject[] {
    const found = new Map<string, StoredObject>()
    for (const event of this.#log) {
      if (event.revision > revision) break
      if (event.plural !== plural) continue
      if (event.type === 'DELETED') found.delete(event.key)
      else found.set(event.key, event.object)
    }
    return [...found].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, object]) => object)
  }

  get(plural: string, key: string): StoredObject | undefined {
    const last = this.#log.findLast((event) => event.plural === plural && event.key === key)
    return last === undefined || last.type === 'DELETED' ? undefined : last.object
  }

  /** What happened after a revision. */
  eventsAfter(plural: string, revision: number): StoreEvent[] {
    return this.#log.filter((event) => event.plural === plural && event.revision > revision)
  }

  /** Called for each event, in order. Returns the way to stop it. */
  listen(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  // ---- writes ----

  create(plural: string, draft: ObjectDraft): StoredObject {
    const { namespace = 'default' } = draft.metadata
    return this.#put(plural, 'ADDED', {
      ...this.#typeMeta(plural),
      ...draft,
      metadata: {
        ...draft.metadata,
        namespace,
        uid: randomUUID(),
        resourceVersion: '',
        generation: 1,
        creationTimestamp: '2026-11-15T00:00:00Z',
      },
    })
  }

  /** Replaces an object; the spec counts generations. Takes the last finalizer of a dying object for its death. */
  update(plural: string, key: string, next: StoredObject): StoredObject {
    const current = this.#existing(plural, key)
    const { uid, creationTimestamp, deletionTimestamp, generation = 1 } = current.metadata
    const isNewSpec = JSON.stringify(next['spec']) !== JSON.stringify(current['spec'])
    const object: StoredObject = {
      ...next,
      metadata: {
        ...next.metadata,
        uid,
        creationTimestamp,
        generation: isNewSpec ? generation + 1 : generation,
        ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      },
    }
    if (deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).length === 0) {
      // As kube-apiserver does: whoever took the last finalizer off sees what they asked for, at the version they knew.
      this.#erase(plural, key)
      return object
    }
    // A write that changes nothing is no write, as in etcd3's store.
    if (JSON.stringify(object) === JSON.stringify(current)) return current
    return this.#put(plural, 'MODIFIED', object)
  }

  /** A change by hand: `edit('widgets', 'default/a', (widget) => { widget.spec = ... })`. */
  edit(plural: string, key: string, change: (object: StoredObject) => void): StoredObject {
    const next = structuredClone(this.#existing(plural, key))
    change(next)
    return this.update(plural, key, next)
  }

  /** Gone at once, or dying while it has finalizers. */
  delete(plural: string, key: string): StoredObject {
    const current = this.#existing(plural, key)
    if ((current.metadata.finalizers ?? []).length === 0) return this.#erase(plural, key)
    if (current.metadata.deletionTimestamp !== undefined) return current
    const metadata = { ...current.metadata, deletionTimestamp: '2026-11-15T01:00:00Z' }
    return this.#put(plural, 'MODIFIED', { ...current, metadata })
  }

  // ---- accidents ----

  /** Forgets the history: watches and continue tokens from before have expired. */
  compact(): void {
    this.#compacted = this.#revision
  }

  /** Moves the revision without touching any resource, as writes elsewhere in the cluster do. */
  tick(): void {
    this.#revision++
  }

  /** Restored from a backup of that revision: what came after never was, and its revisions are given out again. */
  restore(revision: number): void {
    this.#log = this.#log.filter((event) => event.revision <= revision)
    this.#revision = revision
    this.#compacted = Math.min(this.#compacted, revision)
  }

  /** Lost and begun anew: the resources are there, their objects are not. */
  reset(): void {
    this.#log = []
    this.#revision = 1
    this.#compacted = 0
  }

  #existing(plural: string, key: string): StoredObject {
    const object = this.get(plural, key)
    if (object === undefined) throw new Error(`The test has no ${plural} ${key}.`)
    return object
  }

  #typeMeta(plural: string): { kind: string; apiVersion: string } {
    return this.#resources.get(plural) ?? { kind: 'Unknown', apiVersion: 'v1' }
  }

  #put(plural: string, type: 'ADDED' | 'MODIFIED', object: StoredObject): StoredObject {
    const revision = ++this.#revision
    const metadata = { ...object.metadata, resourceVersion: this.versionAt(revision) }
    return this.#record({ revision, type, plural, key: keyOf(metadata), object: { ...object, metadata } })
  }

  #erase(plural: string, key: string): StoredObject {
    const revision = ++this.#revision
    const current = this.#existing(plural, key)
    const metadata = { ...current.metadata, resourceVersion: this.versionAt(revision) }
    return this.#record({ revision, type: 'DELETED', plural, key, object: { ...current, metadata } })
  }

  #record(event: StoreEvent): StoredObject {
    this.#log.push(event)
    for (const listener of this.#listeners) listener(event)
    return event.object
  }
}

export function keyOf({ namespace, name }: { namespace?: string; name: string }): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`
}
