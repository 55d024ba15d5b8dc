import { type Clock, sleep } from '../../base/index.js'

export interface Waiting {
  readonly clock: Clock
  /** Monotonic time at which to give up. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

const pollMs = 50

/** True as soon as the condition holds, false when time is up. A condition that throws has failed for good. */
export async function waitUntil(waiting: Waiting, condition: () => Promise<boolean>): Promise<boolean> {
  while (!(await condition())) {
    if (waiting.clock.monotonic() >= waiting.deadlineMs) return false
    await sleep(waiting.clock, pollMs, waiting.signal)
  }
  return true
}
