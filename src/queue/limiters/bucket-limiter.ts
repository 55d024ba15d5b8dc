import { type Clock, systemClock } from '../../base/index.js'
import { checkLimit, checkPositive, type RateLimiter } from './rate-limiter.js'

export interface BucketLimiterOptions {
  /** Tries a second in the long run, of all keys together. */
  readonly qps: number
  /** Tries that may begin at once after a time of rest. */
  readonly burst: number
  /** The default is the clock of the machine. */
  readonly clock?: Clock
}

/**
 * All keys together: a bucket of `burst` tokens that fills at `qps`, one token a try. An empty bucket lends: each try gets
 * the time at which its token will have been there, so many tries at once are spread evenly. Throws InvalidRateLimitError.
 */
export function createBucketLimiter(options: BucketLimiterOptions): RateLimiter {
  const { qps, burst, clock = systemClock } = options
  checkPositive('qps', qps)
  checkLimit('burst', burst, 1)
  // Below zero: what has been lent.
  let tokens = burst
  let filledAtMs = clock.monotonic()
  return {
    when() {
      const nowMs = clock.monotonic()
      tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * qps) - 1
      filledAtMs = nowMs
      return tokens >= 0 ? 0 : (-tokens / qps) * 1000
    },
    forget() {},
    retries: () => 0,
  }
}
