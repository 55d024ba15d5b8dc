import { checkQueueDelay, type DelayingQueue } from './delaying-queue.js'
import type { RateLimiter } from './limiters/rate-limiter.js'
import { type AddOptions, priorityOf } from './priority.js'

/** When and how keys are added. */
export interface ScheduleOptions extends AddOptions {
  /** Not before this time has passed. */
  readonly afterMs?: number | undefined
  /** Not before the rate limiter allows the next try; together with `afterMs`, the shorter of the two. */
  readonly rateLimited?: boolean | undefined
}

/** A delaying queue that knows how often each key was tried. What a controller needs of a queue. */
export interface RateLimitedQueue<K> extends DelayingQueue<K> {
  /**
   * Adds the key when the rate limiter allows its next try: for a key whose run has failed. A retry keeps its place among
   * the priorities if it is given that of the lease: `addRateLimited(lease.key, { priority: lease.priority })`.
   */
  addRateLimited(key: K, options?: AddOptions): void
  /**
   * The key is well, or given up: its next retry is its first. Call it after every success, else the limiter remembers
   * the key for ever. The lease still needs its `done`.
   */
  forget(key: K): void
  /** How often the key was added by the rate limiter since it was last forgotten. */
  retries(key: K): number
  /** Adds several keys in one way. Throws, before it adds any, for options that make no sense. */
  addWithOptions(options: ScheduleOptions, ...keys: readonly K[]): void
}

/** Wraps a delaying queue. */
export function withRateLimits<K>(queue: DelayingQueue<K>, limiter: RateLimiter): RateLimitedQueue<K> {
  const allowedInMs = (key: K): number => limiter.when(queue.idOf(key))

  const addScheduled = (key: K, options: ScheduleOptions): void => {
    const { afterMs = 0, rateLimited = false } = options
    if (rateLimited) {
      const limitMs = allowedInMs(key)
      queue.addAfter(key, afterMs === 0 ? limitMs : Math.min(afterMs, limitMs), options)
    } else if (afterMs === 0) {
      queue.add(key, options)
    } else {
      queue.addAfter(key, afterMs, options)
    }
  }

  return {
    add: (key, options) => queue.add(key, options),
    addAfter: (key, delayMs, options) => queue.addAfter(key, delayMs, options),
    addRateLimited: (key, options) => queue.addAfter(key, allowedInMs(key), options),
    forget: (key) => limiter.forget(queue.idOf(key)),
    retries: (key) => limiter.retries(queue.idOf(key)),
    addWithOptions(options, ...keys) {
      priorityOf(options)
      checkQueueDelay(options.afterMs ?? 0)
      for (const key of keys) addScheduled(key, options)
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
    shutDown: () => queue.shutDown(),
    shutDownWithDrain: () => queue.shutDownWithDrain(),
  }
}
