import { type Clock, createHeap, type HeapNode, systemClock } from '../base/index.js'
import { checkedIdentity, type KeyIdentity } from './key-identity.js'
import { type Lease, takeLeases } from './lease.js'
import { type AddOptions, priorityOf } from './priority.js'
import type { QueueMetrics, UnfinishedWork } from './queue-metrics.js'
import { createWaitingGetters } from './waiting-getters.js'

/** A queue of keys that have work to do: each at most once in the queue, each with at most one holder. */
export interface WorkQueue<K> {
  /**
   * Says that the key has work to do. A key that is in the queue stays there once, at the higher of the two priorities
   * (raised, it goes behind the others of its new priority). A key that is held is handed out once more after `done`.
   * Ignored after shutdown. Throws InvalidQueueKeyError and InvalidPriorityError.
   */
  add(key: K, options?: AddOptions): void
  /**
   * The next key, as soon as there is one; those who wait are served in the order of their calls. Undefined means that
   * there is nothing more to do for this caller: the queue has been shut down and emptied, or the signal has aborted.
   * Whoever gets a lease must call its `done`, whatever happens. Never rejects.
   */
  get(signal?: AbortSignal): Promise<Lease<K> | undefined>
  /**
   * The same as a loop: `for await (const { key } of queue.leases(signal)) await reconcile(key)`. The key is held while
   * the body runs. Several workers take a loop each.
   */
  leases(signal?: AbortSignal): AsyncGenerator<Lease<K>, void, undefined>
  /**
   * Gives the key back, whoever holds it; nothing happens if nobody does. The `done` of the lease is the safer one: this
   * one, called twice by mistake, takes the key from its next holder.
   */
  done(key: K): void
  /** True while the key is there to be handed out, now or, if it is held, after `done`. */
  has(key: K): boolean
  /** The number of keys that `has` is true for. For people and metrics; no reason to call or not to call `get`. */
  readonly length: number
  /** The string that stands for the key. Throws InvalidQueueKeyError. */
  idOf(key: K): string
  /** How long the holders have been at work. */
  unfinishedWork(): UnfinishedWork
  readonly isShutDown: boolean
  /**
   * From now on nothing can be added. Keys that are there are still handed out, then every `get` is undefined: leave them
   * behind by aborting the signal of `get`. Also ends the wait of every `shutDownWithDrain`.
   */
  shutDown(): void
  /**
   * Shuts down, and resolves when no key is left and none is held. Needs workers that still call `get`: once they are
   * gone, and when one of them is stuck, `shutDown` ends the wait.
   */
  shutDownWithDrain(): Promise<void>
}

export interface QueueOptions {
  /** The default is the clock of the machine. */
  readonly clock?: Clock
  readonly metrics?: QueueMetrics
}

interface PendingKey<K> extends HeapNode {
  readonly id: string
  readonly key: K
  readonly addedAtMs: number
  priority: number
  sequence: number
}

interface HeldKey<K> extends Lease<K> {
  readonly startedAtMs: number
}

/** An empty queue. Keys that are not strings need `idOf`. Adding and getting are O(log n). */
export function createQueue<K extends string = string>(options?: QueueOptions): WorkQueue<K>
export function createQueue<K>(options: QueueOptions & KeyIdentity<K>): WorkQueue<K>
export function createQueue<K>(options: QueueOptions & Partial<KeyIdentity<K>> = {}): WorkQueue<K> {
  const { clock = systemClock, metrics } = options
  const idOf = checkedIdentity(options.idOf)

  // All keys that must be handed out (client-go calls them dirty). One entry a key is what merges adds.
  const pending = new Map<string, PendingKey<K>>()
  // All keys that have a holder. A key may be pending and held: it was added while it ran.
  const held = new Map<string, HeldKey<K>>()
  // Exactly the keys that are pending and not held: what is in here may be handed out without looking.
  const ready = createHeap<PendingKey<K>>(goesBefore)
  // Somebody waits only while nothing is ready, except between an add and its `handOut`.
  const getters = createWaitingGetters<Lease<K>>()

  let nextSequence = 0
  let handOutIsDue = false
  let isShutDown = false
  let drainWaiters: (() => void)[] = []

  const take = (): Lease<K> | undefined => {
    const next = ready.pop()
    if (next === undefined) return undefined
    const { id, key, priority, addedAtMs } = next
    const startedAtMs = clock.monotonic()
    const lease: HeldKey<K> = { key, priority, startedAtMs, done: () => release(id, lease) }
    pending.delete(id)
    held.set(id, lease)
    metrics?.depthChanged(priority, -1)
    metrics?.queueDuration((startedAtMs - addedAtMs) / 1000)
    return lease
  }

  const handOut = (): void => {
    handOutIsDue = false
    while (getters.size > 0) {
      const lease = take()
      if (lease === undefined) return
      getters.serve(lease)
    }
  }

  // Not at once: events arrive in bursts, and only when the code that adds them has ended is it known which of them merge
  // and which is the most urgent. Handed out at the first event, the key would run twice.
  const makeReady = (entry: PendingKey<K>): void => {
    ready.push(entry)
    if (handOutIsDue || getters.size === 0) return
    handOutIsDue = true
    queueMicrotask(handOut)
  }

  const release = (id: string, lease: HeldKey<K>): void => {
    if (held.get(id) !== lease) return
    held.delete(id)
    metrics?.workDuration((clock.monotonic() - lease.startedAtMs) / 1000)
    const again = pending.get(id)
    if (again !== undefined) makeReady(again)
    else if (pending.size === 0 && held.size === 0) endDrain()
  }

  const raise = (entry: PendingKey<K>, priority: number): void => {
    metrics?.depthChanged(entry.priority, -1)
    metrics?.depthChanged(priority, 1)
    entry.priority = priority
    entry.sequence = nextSequence++
    ready.update(entry)
  }

  const get = (signal?: AbortSignal): Promise<Lease<K> | undefined> => {
    if (signal?.aborted === true) return Promise.resolve(undefined)
    // Whoever waits already has the first claim on what has just become ready.
    const lease = getters.size === 0 ? take() : undefined
    return lease !== undefined || isShutDown ? Promise.resolve(lease) : getters.wait(signal)
  }

  const refuseAdds = (): void => {
    isShutDown = true
    handOut()
    getters.dismiss()
  }

  const endDrain = (): void => {
    for (const resolve of drainWaiters) resolve()
    drainWaiters = []
  }

  return {
    add(key, addOptions) {
      const id = idOf(key)
      const priority = priorityOf(addOptions)
      if (isShutDown) return
      const present = pending.get(id)
      if (present !== undefined) {
        if (priority > present.priority) raise(present, priority)
        return
      }
      const addedAtMs = clock.monotonic()
      const entry = { id, key, addedAtMs, priority, sequence: nextSequence++, heapIndex: -1 }
      pending.set(id, entry)
      metrics?.added()
      metrics?.depthChanged(priority, 1)
      // A held key stays out of the heap until its holder is done: two workers would race on one object.
      if (!held.has(id)) makeReady(entry)
    },
    get,
    leases: (signal) => takeLeases(() => get(signal)),
    done: (key) => held.get(idOf(key))?.done(),
    has: (key) => pending.has(idOf(key)),
    get length() {
      return pending.size
    },
    idOf,
    unfinishedWork() {
      const nowMs = clock.monotonic()
      let totalMs = 0
      let longestMs = 0
      for (const { startedAtMs } of held.values()) {
        totalMs += nowMs - startedAtMs
        longestMs = Math.max(longestMs, nowMs - startedAtMs)
      }
      return { totalSeconds: totalMs / 1000, longestSeconds: longestMs / 1000 }
    },
    get isShutDown() {
      return isShutDown
    },
    shutDown() {
      refuseAdds()
      endDrain()
    },
    shutDownWithDrain() {
      refuseAdds()
      if (pending.size === 0 && held.size === 0) return Promise.resolve()
      return new Promise((resolve) => drainWaiters.push(resolve))
    },
  }
}

// The sequence is that of adding, also for a key that was held meanwhile: it has kept its place in the line.
function goesBefore<K>(left: PendingKey<K>, right: PendingKey<K>): boolean {
  return left.priority === right.priority ? left.sequence < right.sequence : left.priority > right.priority
}
