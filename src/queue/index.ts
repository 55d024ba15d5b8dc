/**
 * The work queue: which keys have work to do, and who may do it when. Its promises, in client-go's words where they fit:
 *
 * - **Stingy.** A key that is added many times before it is handed out is handed out once.
 * - **Exclusive.** A key has at most one holder. Added while it is held, it is handed out once more when its holder is done.
 * - **Fair.** Higher priority first, then the order of adding; a key that keeps coming back goes behind those that were
 *   there before. Those who wait in `get` are served in the order of their calls.
 * - **Complete.** After every `add` somebody gets the key who asked for it later. A getter that gives up takes no key with it.
 * - **Punctual.** A delayed key becomes ready at the earliest time that was asked for, be it 30 days ahead, at the highest
 *   priority that was asked for. Whether it waits or is ready, it is one key: `add` takes it out of its wait.
 * - **Patient.** A key that fails is tried again ever more slowly, and slows down nobody else.
 * - **Mortal.** After `shutDown` nothing is accepted, what is ready is handed out, then every `get`, waiting or new, is
 *   undefined. Nothing hangs, no timer remains.
 *
 * What one piece of synchronous code adds counts as simultaneous: a waiting getter is served when that code has ended, with
 * the most urgent key.
 *
 * There is one scheduler here, not a FIFO beside a priority queue: FIFO is what the order by priority is when nobody names
 * one. So `createQueue` (merge, exclude, order) takes a priority, `withDelays` and `withRateLimits` wrap it and hand the
 * priority through, and `createPriorityQueue` is the three of them together. Where client-go and controller-runtime
 * differ, in what happens to a delayed key that is added meanwhile, all of it does as controller-runtime: one entry a key.
 *
 * @module
 */
export { type DelayingQueue, withDelays } from './delaying-queue.js'
export {
  InvalidPriorityError,
  InvalidQueueDelayError,
  InvalidQueueKeyError,
  InvalidRateLimitError,
} from './errors.js'
export type { KeyIdentity } from './key-identity.js'
export type { Lease } from './lease.js'
export { type BucketLimiterOptions, createBucketLimiter } from './limiters/bucket-limiter.js'
export { createClientGoLimiter } from './limiters/client-go-limiter.js'
export { createExponentialLimiter, type ExponentialLimiterOptions } from './limiters/exponential-limiter.js'
export { createFastSlowLimiter, type FastSlowLimiterOptions } from './limiters/fast-slow-limiter.js'
export { maxOfLimiters } from './limiters/max-of-limiters.js'
export { withMaxWait } from './limiters/max-wait-limiter.js'
export type { RateLimiter } from './limiters/rate-limiter.js'
export { type AddOptions, lowPriority } from './priority.js'
export { createPriorityQueue, type PriorityQueueOptions } from './priority-queue.js'
export type { QueueMetrics, UnfinishedWork } from './queue-metrics.js'
export { type RateLimitedQueue, type ScheduleOptions, withRateLimits } from './rate-limited-queue.js'
export { createQueue, type QueueOptions, type WorkQueue } from './work-queue.js'
