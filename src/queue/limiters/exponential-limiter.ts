import { InvalidRateLimitError } from '../errors.js'
import { checkPositive, type RateLimiter } from './rate-limiter.js'

export interface ExponentialLimiterOptions {
  /** The first delay. The default is 5 ms. */
  readonly baseMs?: number
  /** The longest delay. The default is 1000 s. */
  readonly maxMs?: number
}

/**
 * Each key for itself: its delay doubles with every try until it is forgotten. With the defaults the 18th delay is 655 s
 * and all further ones are 1000 s. Throws InvalidRateLimitError.
 */
export function createExponentialLimiter(options: ExponentialLimiterOptions = {}): RateLimiter {
  const { baseMs = 5, maxMs = 1_000_000 } = options
  checkPositive('baseMs', baseMs)
  checkPositive('maxMs', maxMs)
  if (maxMs < baseMs) throw new InvalidRateLimitError('maxMs', maxMs, `baseMs (${baseMs}) or more`)
  const failures = new Map<string, number>()
  return {
    when(id) {
      const earlier = failures.get(id) ?? 0
      failures.set(id, earlier + 1)
      // From the 1024th failure on the product is Infinity, and the minimum is still right.
      return Math.min(baseMs * 2 ** earlier, maxMs)
    },
    forget: (id) => void failures.delete(id),
    retries: (id) => failures.get(id) ?? 0,
  }
}
