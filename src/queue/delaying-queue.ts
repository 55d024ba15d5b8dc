import { createHeap, type HeapNode, systemClock, type Timer } from '../base/index.js'
import { InvalidQueueDelayError } from './errors.js'
import { type AddOptions, priorityOf } from './priority.js'
import type { QueueOptions, WorkQueue } from './work-queue.js'

/** A work queue to which keys can be added later. Keys that wait for their time are not in its length. */
export interface DelayingQueue<K> extends WorkQueue<K> {
  /**
   * Adds the key when the delay has passed. A key that waits already keeps the earlier of the two times and the higher of
   * the two priorities, and `add` ends its wait: one key is one piece of work, due at the earliest time anybody asked for.
   * A run that wants another one later asks for it again. Zero adds at once, and any length is fine. After shutdown
   * the key is ignored, and those that wait are dropped. Throws InvalidQueueDelayError for what is no delay.
   */
  addAfter(key: K, delayMs: number, options?: AddOptions): void
}

interface WaitingKey<K> extends HeapNode {
  readonly id: string
  readonly key: K
  readonly sequence: number
  priority: number
  readyAtMs: number
}

/** Wraps a queue. Holds one timer, whatever the number of keys; it runs only while keys wait. */
export function withDelays<K>(queue: WorkQueue<K>, options: QueueOptions = {}): DelayingQueue<K> {
  const { clock = systemClock, metrics } = options

  // The same keys in both. None of them is in the queue too: to be ready beats to wait.
  const waiting = new Map<string, WaitingKey<K>>()
  const byTime = createHeap<WaitingKey<K>>(isDueBefore)

  let nextSequence = 0
  let timer: Timer | undefined
  // Never later than the first key's time; earlier if that key has left, and then the timer finds nothing due.
  let timerAtMs = Number.POSITIVE_INFINITY

  const setTimer = (nowMs: number): void => {
    const first = byTime.peek()
    if (first === undefined || first.readyAtMs >= timerAtMs) return
    timer?.cancel()
    timerAtMs = first.readyAtMs
    timer = clock.setTimer(timerAtMs - nowMs, addDue)
  }

  const cancelTimer = (): void => {
    timer?.cancel()
    timer = undefined
    timerAtMs = Number.POSITIVE_INFINITY
  }

  const addDue = (): void => {
    cancelTimer()
    const nowMs = clock.monotonic()
    for (let first = byTime.peek(); first !== undefined && first.readyAtMs <= nowMs; first = byTime.peek()) {
      byTime.pop()
      waiting.delete(first.id)
      queue.add(first.key, { priority: first.priority })
    }
    setTimer(nowMs)
  }

  const add = (key: K, addOptions?: AddOptions): void => {
    const waitingKey = waiting.size === 0 ? undefined : waiting.get(queue.idOf(key))
    if (waitingKey === undefined) return queue.add(key, addOptions)
    const priority = Math.max(waitingKey.priority, priorityOf(addOptions))
    waiting.delete(waitingKey.id)
    byTime.remove(waitingKey)
    if (waiting.size === 0) cancelTimer()
    queue.add(key, { priority })
  }

  const wait = (key: K, readyAtMs: number, priority: number): void => {
    const id = queue.idOf(key)
    const waitingKey = waiting.get(id)
    if (waitingKey === undefined) {
      const entry = { id, key, sequence: nextSequence++, priority, readyAtMs, heapIndex: -1 }
      waiting.set(id, entry)
      byTime.push(entry)
      return
    }
    waitingKey.priority = Math.max(waitingKey.priority, priority)
    if (readyAtMs >= waitingKey.readyAtMs) return
    waitingKey.readyAtMs = readyAtMs
    byTime.update(waitingKey)
  }

  const dropWaiting = (): void => {
    cancelTimer()
    waiting.clear()
    byTime.clear()
  }

  return {
    add,
    addAfter(key, delayMs, addOptions) {
      checkQueueDelay(delayMs)
      const priority = priorityOf(addOptions)
      if (queue.isShutDown) return
      if (delayMs > 0) metrics?.retried()
      if (delayMs === 0 || queue.has(key)) return add(key, { priority })
      const nowMs = clock.monotonic()
      wait(key, nowMs + delayMs, priority)
      setTimer(nowMs)
    },
    get: (signal) => queue.get(signal),
    leases: (signal) => queue.leases(signal),
    done: (key) => queue.done(key),
    has: (key) => queue.has(key),
    get length() {
      return queue.length
    },
    idOf: (key) => queue.idOf(key),
    unfinishedWork: () => queue.unfinishedWork(),
    get isShutDown() {
      return queue.isShutDown
    },
    shutDown() {
      dropWaiting()
      queue.shutDown()
    },
    shutDownWithDrain() {
      dropWaiting()
      return queue.shutDownWithDrain()
    },
  }
}

/** Throws {@link InvalidQueueDelayError} for NaN, Infinity, "5s", and for a time in the past. */
export function checkQueueDelay(delayMs: unknown): void {
  if (!Number.isFinite(delayMs) || Number(delayMs) < 0) throw new InvalidQueueDelayError(delayMs)
}

function isDueBefore<K>(left: WaitingKey<K>, right: WaitingKey<K>): boolean {
  return left.readyAtMs === right.readyAtMs
    ? left.sequence < right.sequence
    : left.readyAtMs < right.readyAtMs
}
