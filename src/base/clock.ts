import { performance } from 'node:perf_hooks'
import { abortReason } from './abort.js'

/** A timer that has been set. Cancelling it twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void
}

export interface TimerOptions {
  /** A background timer does not keep the process alive. */
  readonly background?: boolean
}

/** The only source of time in kubewright. Production code takes one as a parameter; tests pass a fake. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump; never use it to measure a duration. */
  now(): number
  /** Milliseconds since an arbitrary start. Never goes back. */
  monotonic(): number
  /** Calls back once after `delayMs`. Any length is fine: beyond 2^31-1 ms timers are chained. */
  setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer
}

// Node fires a longer timeout after 1 ms, which turns a 30 day delay into a hot loop.
const longestTimeoutMs = 2 ** 31 - 1

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, callback, options) {
    const end = performance.now() + delayMs
    let handle: NodeJS.Timeout
    const arm = (remainingMs: number): void => {
      const last = remainingMs <= longestTimeoutMs
      handle = setTimeout(
        () => (last ? callback() : arm(end - performance.now())),
        last ? Math.max(0, remainingMs) : longestTimeoutMs,
      )
      if (options?.background === true) handle.unref()
    }
    arm(delayMs)
    return { cancel: () => clearTimeout(handle) }
  },
}

/** Resolves after `delayMs`, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortReason(signal))
    const onAbort = (): void => {
      timer.cancel()
      reject(abortReason(signal))
    }
    const timer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
