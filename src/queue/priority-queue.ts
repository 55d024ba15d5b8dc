import { withDelays } from './delaying-queue.js'
import { checkedIdentity, type KeyIdentity } from './key-identity.js'
import { createExponentialLimiter } from './limiters/exponential-limiter.js'
import type { RateLimiter } from './limiters/rate-limiter.js'
import { type RateLimitedQueue, withRateLimits } from './rate-limited-queue.js'
import { createQueue, type QueueOptions } from './work-queue.js'

export interface PriorityQueueOptions extends QueueOptions {
  /** The default is exponential, each key for itself, from 5 ms to 1000 s. */
  readonly limiter?: RateLimiter
}

/** An empty queue with priorities, delays and retries: what a controller uses. Keys that are not strings need `idOf`. */
export function createPriorityQueue<K extends string = string>(
  options?: PriorityQueueOptions,
): RateLimitedQueue<K>
export function createPriorityQueue<K>(options: PriorityQueueOptions & KeyIdentity<K>): RateLimitedQueue<K>
export function createPriorityQueue<K>(
  options: PriorityQueueOptions & Partial<KeyIdentity<K>> = {},
): RateLimitedQueue<K> {
  const { limiter = createExponentialLimiter() } = options
  const queue = createQueue<K>({ ...options, idOf: checkedIdentity(options.idOf) })
  return withRateLimits(withDelays(queue, options), limiter)
}
