import { type Clock, sleep, systemClock } from '../../base/index.js'
import type { Runnable } from '../runnable.js'

export interface LoopLagOptions {
  /** How often the loop is probed: twice a second. */
  readonly intervalMs?: number
  /** How long the worst lag is remembered: 30 to 60 seconds, by default. */
  readonly windowMs?: number
  readonly clock?: Clock
}

/** Measures how late timers fire, which is how long other code has blocked the event loop. */
export interface LoopLagMonitor extends Runnable {
  /** The worst lag of the last one to two windows, one that has not ended yet included. */
  worstLagMs(): number
}

export function createLoopLagMonitor(options: LoopLagOptions = {}): LoopLagMonitor {
  const { intervalMs = 500, windowMs = 30_000, clock = systemClock } = options
  let dueMs = Number.POSITIVE_INFINITY
  let windowEndMs = Number.NEGATIVE_INFINITY
  let worst = 0
  let worstBefore = 0

  const record = (): void => {
    const nowMs = clock.monotonic()
    if (nowMs >= windowEndMs) {
      worstBefore = nowMs >= windowEndMs + windowMs ? 0 : worst
      worst = 0
      windowEndMs = nowMs + windowMs
    }
    worst = Math.max(worst, nowMs - dueMs)
  }
  return {
    name: 'event loop monitor',
    phase: 'http',
    async run(signal) {
      try {
        for (;;) {
          dueMs = clock.monotonic() + intervalMs
          await sleep(clock, intervalMs, signal)
          record()
        }
      } catch {
        // Only the signal ends the sleep.
        dueMs = Number.POSITIVE_INFINITY
      }
    },
    worstLagMs() {
      record()
      return Math.max(worst, worstBefore)
    },
  }
}
