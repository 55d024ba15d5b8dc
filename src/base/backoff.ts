import type { Random } from './random.js'

export interface BackoffOptions {
  readonly initialMs: number
  readonly maxMs: number
  readonly factor: number
  /** Each delay is drawn from [d, d * (1 + jitter)). */
  readonly jitter: number
  /** After this long without a failure the next delay is the initial one again. */
  readonly resetAfterMs?: number
  readonly random: Random
}

/** Delays that grow with each failure. Holds no timer: the caller sleeps. */
export interface Backoff {
  /** The delay before the next try, given the monotonic time of this failure. */
  next(nowMs: number): number
  reset(): void
}

export function createBackoff(options: BackoffOptions): Backoff {
  let baseMs = options.initialMs
  let lastFailureMs = Number.NEGATIVE_INFINITY
  return {
    next(nowMs) {
      if (options.resetAfterMs !== undefined && nowMs - lastFailureMs > options.resetAfterMs)
        baseMs = options.initialMs
      lastFailureMs = nowMs
      const delayMs = baseMs * (1 + options.jitter * options.random())
      baseMs = Math.min(baseMs * options.factor, options.maxMs)
      return delayMs
    },
    reset() {
      baseMs = options.initialMs
    },
  }
}
