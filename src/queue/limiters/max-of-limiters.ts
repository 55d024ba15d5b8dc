import type { RateLimiter } from './rate-limiter.js'

/** The longest delay that any of the limiters asks for. Every one of them counts every try. */
export function maxOfLimiters(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (id) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(id)), 0),
    forget(id) {
      for (const limiter of limiters) limiter.forget(id)
    },
    retries: (id) => limiters.reduce((most, limiter) => Math.max(most, limiter.retries(id)), 0),
  }
}
