import { type Clock, sleep } from '../base/index.js'

/** A rate, and how far a pause can be made up for. */
export interface RateLimitOptions {
  /** Requests a second in the long run. */
  readonly qps: number
  /** How many may go at once after a pause. */
  readonly burst: number
}

/** Lets requests pass at a limited rate, in the order in which they came. */
export interface RateLimiter {
  /** Resolves when it is this request's turn. Aborting gives the turn back. */
  take(signal: AbortSignal | undefined): Promise<void>
}

/** A token bucket. */
export function createRateLimiter(options: RateLimitOptions, clock: Clock): RateLimiter {
  const { qps, burst } = options
  let tokens = burst
  let filledMs = clock.monotonic()
  return {
    async take(signal) {
      const nowMs = clock.monotonic()
      tokens = Math.min(burst, tokens + ((nowMs - filledMs) / 1000) * qps)
      filledMs = nowMs
      // Below zero the balance is a queue: each waiting request has already taken its future token.
      tokens -= 1
      if (tokens >= 0) return
      try {
        await sleep(clock, (-tokens / qps) * 1000, signal)
      } catch (error) {
        tokens += 1
        throw error
      }
    },
  }
}
