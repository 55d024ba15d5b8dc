import { performance } from 'node:perf_hooks'
import { abortReason } from './abort.js'
import { KubewrightError } from './errors.js'

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
  /**
   * Calls back once after `delayMs`, never within this call. Any length is fine: beyond 2^31-1 ms timers are chained,
   * below zero counts as zero. NaN throws {@link InvalidDelayError}.
   */
  setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer
}

/** A delay that is not a number: a computation went wrong, and the timer would fire at once or never. */
export class InvalidDelayError extends KubewrightError {
  constructor() {
    super('A timer was set to NaN milliseconds: check how the delay was computed.', {
      code: 'KW_INVALID_DELAY',
    })
  }
}

/** Throws {@link InvalidDelayError} for NaN: what every Clock does before it sets a timer. */
export function checkDelay(delayMs: number): void {
  if (Number.isNaN(delayMs)) throw new InvalidDelayError()
}

// Node fires a longer timeout after 1 ms, which turns a 30 day delay into a hot loop.
const longestTimeoutMs = 2 ** 31 - 1

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, callback, options) {
    checkDelay(delayMs)
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

/**
 * Lets everything else that is ready run first: timers, sockets, other work. Long loops call it now and then, so that
 * no turn of the event loop is long enough to delay a lease or a health check.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
