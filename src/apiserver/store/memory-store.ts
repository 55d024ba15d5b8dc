import type { ApiObject, GroupResource, StoredApiObject } from '../api-object.js'
import { History, type HistoryLimit } from './history.js'
import type { Journal } from './journal.js'
import { OrderedIndex } from './ordered-index.js'
import {
  RevisionMismatchError,
  type ScanOptions,
  type Store,
  type StoredObject,
  type StoreEvent,
  type SubscribeOptions,
} from './store.js'
import { encodeObject, StoredJson } from './stored-json.js'
import { Subscribers } from './subscribers.js'

export interface MemoryStoreOptions {
  /** How much of the past is remembered: 100,000 events and 64 MiB unless said otherwise. */
  readonly historyLimit?: Partial<HistoryLimit>
  /** The revision before the first write; 1 unless said otherwise. Zero would mean "any" as a resourceVersion. */
  readonly initialRevision?: number
}

/** An empty store that lives as long as the process. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { initialRevision = 1 } = options
  return new MemoryStore({
    objects: new Map(),
    history: new History(historyLimitOf(options.historyLimit), initialRevision),
    revision: initialRevision,
  })
}

export function historyLimitOf({
  events = 100_000,
  bytes = 64 * 2 ** 20,
}: Partial<HistoryLimit> = {}): HistoryLimit {
  return { events, bytes }
}

/** What a store begins with. */
export interface StoreContent {
  readonly objects: Map<GroupResource, OrderedIndex<StoredObject>>
  readonly history: History
  readonly revision: number
}

/** A store whose content is in memory; with a journal, each change is written there before it happens here. */
export class MemoryStore implements Store {
  readonly #objects: Map<GroupResource, OrderedIndex<StoredObject>>
  readonly #history: History
  readonly #subscribers = new Subscribers()
  readonly #journal: Journal | undefined
  #revision: number

  constructor({ objects, history, revision }: StoreContent, journal?: Journal) {
    this.#objects = objects
    this.#history = history
    this.#revision = revision
    this.#journal = journal
  }

  get revision(): number {
    return this.#revision
  }

  get oldestRevision(): number {
    return this.#history.oldest
  }

  get(resource: GroupResource, key: string): StoredObject | undefined {
    return this.#objects.get(resource)?.get(key)
  }

  scan(resource: GroupResource, options: ScanOptions = {}): Iterable<StoredObject> {
    const { prefix = '', after, revision = this.#revision } = options
    const index = this.#objects.get(resource) ?? new OrderedIndex<StoredObject>()
    const isInRange = (key: string): boolean =>
      key.startsWith(prefix) && (after === undefined || index.compare(key, after) > 0)
    const start = after === undefined || index.compare(after, prefix) < 0 ? prefix : after
    const present = index.valuesFrom(start, start !== after, prefix)
    if (revision >= this.#revision) return present
    const undone = this.#history.undo(resource, revision)
    return withPast(present, undone, isInRange, (left, right) => index.compare(left, right))
  }

  count(resource: GroupResource, prefix = ''): number {
    return this.#objects.get(resource)?.countPrefix(prefix) ?? 0
  }

  put(
    resource: GroupResource,
    key: string,
    draft: ApiObject | StoredApiObject,
    expected: number,
  ): StoredObject {
    const previous = this.#expect(resource, key, expected)
    const current = this.#state(resource, key, draft)
    this.#commit({
      type: previous === undefined ? 'added' : 'modified',
      resource,
      key,
      revision: current.revision,
      current,
      previous,
    })
    return current
  }

  delete(
    resource: GroupResource,
    key: string,
    expected: number,
    last?: ApiObject | StoredApiObject,
  ): StoredObject {
    const previous = this.#expect(resource, key, expected)
    if (previous === undefined) throw new RevisionMismatchError(undefined)
    const current = this.#state(resource, key, last ?? previous.object)
    this.#commit({ type: 'deleted', resource, key, revision: current.revision, current, previous })
    return current
  }

  settled(revision: number): Promise<void> {
    return this.#journal?.settled(revision) ?? Promise.resolve()
  }

  subscribe(options: SubscribeOptions, listener: (event: StoreEvent) => void): () => void {
    const past = options.after < this.#revision ? this.#history.after(options.after) : []
    return this.#subscribers.add(options, past, this.#revision, listener)
  }

  compact(revision: number = this.#revision): void {
    this.#history.compact(Math.min(revision, this.#revision))
  }

  fork(): Store {
    return new MemoryStore(this.content())
  }

  async close(): Promise<void> {
    this.#subscribers.clear()
    await this.#journal?.close()
  }

  /** A copy of the whole content that shares what neither side changes. */
  content(): StoreContent {
    const objects = new Map<GroupResource, OrderedIndex<StoredObject>>()
    for (const [resource, index] of this.#objects) objects.set(resource, index.fork())
    return { objects, history: this.#history.fork(), revision: this.#revision }
  }

  #expect(resource: GroupResource, key: string, expected: number): StoredObject | undefined {
    const stored = this.get(resource, key)
    if ((stored?.revision ?? 0) !== expected) throw new RevisionMismatchError(stored)
    return stored
  }

  #state(resource: GroupResource, key: string, draft: ApiObject | StoredApiObject): StoredObject {
    const revision = this.#revision + 1
    return new StoredJson({
      resource,
      key,
      revision,
      apiVersion: draft.apiVersion,
      json: encodeObject(draft, revision),
    })
  }

  #commit(event: StoreEvent): void {
    // Whatever can fail has to fail before the first change in memory.
    this.#journal?.append(event)
    applyEvent(this.#objects, event)
    this.#history.push(event)
    this.#revision = event.revision
    this.#subscribers.deliver(event)
  }
}

/** Brings the objects to the state after an event. */
export function applyEvent(objects: Map<GroupResource, OrderedIndex<StoredObject>>, event: StoreEvent): void {
  let index = objects.get(event.resource)
  if (index === undefined) {
    index = new OrderedIndex()
    objects.set(event.resource, index)
  }
  if (event.type === 'deleted') index.delete(event.key)
  else index.set(event.key, event.current)
}

/** What is there now, except where it was different: there, what was. Both in the order of keys. */
function withPast(
  present: readonly StoredObject[],
  undone: ReadonlyMap<string, StoredObject | undefined>,
  isInRange: (key: string) => boolean,
  compare: (left: string, right: string) => number,
): readonly StoredObject[] {
  if (undone.size === 0) return present
  const past: StoredObject[] = []
  for (const state of undone.values()) if (state !== undefined && isInRange(state.key)) past.push(state)
  past.sort((left, right) => compare(left.key, right.key))
  const states: StoredObject[] = []
  let next = 0
  for (const state of present) {
    if (undone.has(state.key)) continue
    for (let before = past[next]; before !== undefined; before = past[next]) {
      if (compare(before.key, state.key) > 0) break
      states.push(before)
      next++
    }
    states.push(state)
  }
  for (; next < past.length; next++) {
    const state = past[next]
    if (state !== undefined) states.push(state)
  }
  return states
}
