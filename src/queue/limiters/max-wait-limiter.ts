import { checkLimit, type RateLimiter } from './rate-limiter.js'

/** Asks another limiter, and waits `maxMs` where that would wait longer. Throws InvalidRateLimitError. */
export function withMaxWait(limiter: RateLimiter, maxMs: number): RateLimiter {
  checkLimit('maxMs', maxMs, 0)
  return {
    when: (id) => Math.min(limiter.when(id), maxMs),
    forget: (id) => limiter.forget(id),
    retries: (id) => limiter.retries(id),
  }
}
