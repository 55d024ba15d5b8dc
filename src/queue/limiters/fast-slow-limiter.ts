import { checkLimit, type RateLimiter } from './rate-limiter.js'

export interface FastSlowLimiterOptions {
  readonly fastMs: number
  readonly slowMs: number
  /** How many tries of a key are fast. */
  readonly fastTries: number
}

/** Each key for itself: some quick tries, then slow ones until it is forgotten. Throws InvalidRateLimitError. */
export function createFastSlowLimiter(options: FastSlowLimiterOptions): RateLimiter {
  const { fastMs, slowMs, fastTries } = options
  checkLimit('fastMs', fastMs, 0)
  checkLimit('slowMs', slowMs, 0)
  checkLimit('fastTries', fastTries, 0)
  const tries = new Map<string, number>()
  return {
    when(id) {
      const count = (tries.get(id) ?? 0) + 1
      tries.set(id, count)
      return count <= fastTries ? fastMs : slowMs
    },
    forget: (id) => void tries.delete(id),
    retries: (id) => tries.get(id) ?? 0,
  }
}
