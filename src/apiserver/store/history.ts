import type { GroupResource } from '../api-object.js'
import { CompactedError, type StoredObject, type StoreEvent } from './store.js'

/** How much of the past a store remembers: whichever bound is reached first. */
export interface HistoryLimit {
  readonly events: number
  readonly bytes: number
}

/** What is kept of an event besides its bytes: some objects and pointers. */
const eventOverhead = 300

/** The last changes, in order. Those before `oldest` are forgotten. */
export class History {
  readonly #limit: HistoryLimit
  /** From `#start` on; what is before it is dead and cut off now and then. */
  #events: StoreEvent[]
  #start: number
  #bytes: number
  #oldest: number

  constructor(limit: HistoryLimit, oldest: number) {
    this.#limit = limit
    this.#oldest = oldest
    this.#events = []
    this.#start = 0
    this.#bytes = 0
  }

  fork(): History {
    const copy = new History(this.#limit, this.#oldest)
    copy.#events = this.#events.slice(this.#start)
    copy.#bytes = this.#bytes
    return copy
  }

  /** The oldest revision whose state can be told: every change after it is here. */
  get oldest(): number {
    return this.#oldest
  }

  push(event: StoreEvent): void {
    this.#events.push(event)
    this.#bytes += sizeOf(event)
    while (this.#events.length - this.#start > this.#limit.events || this.#bytes > this.#limit.bytes) {
      if (!this.#drop()) break
    }
    this.#cut()
  }

  /** Forgets every change up to and including this revision. */
  compact(revision: number): void {
    while ((this.#events[this.#start]?.revision ?? Number.POSITIVE_INFINITY) <= revision) this.#drop()
    this.#oldest = Math.max(this.#oldest, revision)
    this.#cut()
  }

  /** The changes after this revision, oldest first. Throws {@link CompactedError}. */
  after(revision: number): readonly StoreEvent[] {
    if (revision < this.#oldest) throw new CompactedError(this.#oldest)
    let low = this.#start
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1
      else high = middle
    }
    return this.#events.slice(low)
  }

  /** What was different then: the states that the changed objects of a resource had, undefined where there was none. */
  undo(resource: GroupResource, revision: number): Map<string, StoredObject | undefined> {
    const states = new Map<string, StoredObject | undefined>()
    for (const event of this.after(revision)) {
      // The first change after that revision knows the state before it.
      if (event.resource === resource && !states.has(event.key)) states.set(event.key, event.previous)
    }
    return states
  }

  #drop(): boolean {
    const event = this.#events[this.#start]
    if (event === undefined) return false
    this.#start++
    this.#bytes -= sizeOf(event)
    this.#oldest = event.revision
    return true
  }

  #cut(): void {
    if (this.#start < 1024 || this.#start * 2 < this.#events.length) return
    this.#events = this.#events.slice(this.#start)
    this.#start = 0
  }
}

function sizeOf({ current }: StoreEvent): number {
  return current.json.length + eventOverhead
}
