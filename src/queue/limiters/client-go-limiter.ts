import type { Clock } from '../../base/index.js'
import { createBucketLimiter } from './bucket-limiter.js'
import { createExponentialLimiter } from './exponential-limiter.js'
import { maxOfLimiters } from './max-of-limiters.js'
import type { RateLimiter } from './rate-limiter.js'

/**
 * What client-go gives a controller by default: each key doubles from 5 ms to 1000 s, and all keys together make 10 tries
 * a second after a burst of 100. The bucket protects a server that does not protect itself; the default of our own queue
 * is the exponential part alone, as in controller-runtime.
 */
export function createClientGoLimiter(options: { readonly clock?: Clock } = {}): RateLimiter {
  return maxOfLimiters(createExponentialLimiter(), createBucketLimiter({ qps: 10, burst: 100, ...options }))
}
