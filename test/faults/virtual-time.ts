import type { Clock } from '../../src/base/index.js'
import { createFakeClock } from '../../src/testing/fake-clock.js'
import { quiet } from './event-loop.js'

/** A fake clock for work that goes through real sockets: between two timers, everything that is on its way arrives. */
export interface VirtualTime {
  readonly clock: Clock
  /** Lets this much time pass. */
  pass(ms: number): Promise<void>
  /** Lets what is on its way arrive; no time passes. */
  settle(): Promise<void>
  /** Timers that are set. */
  readonly pendingTimers: number
  /** How long until the next timer that is at least so far away. */
  nextTimerMs(atLeastMs: number): number
}

/** `activity` counts what can be seen of the work: it is over when the count stands still. */
export function createVirtualTime(activity: () => number): VirtualTime {
  const fake = createFakeClock()
  const dueAtMs = new Set<{ readonly atMs: number }>()
  let everSet = 0
  const clock: Clock = {
    now: fake.now,
    monotonic: fake.monotonic,
    setTimer(delayMs, callback, options) {
      everSet++
      const due = { atMs: fake.monotonic() + Math.max(0, delayMs) }
      dueAtMs.add(due)
      const timer = fake.setTimer(
        delayMs,
        () => {
          dueAtMs.delete(due)
          callback()
        },
        options,
      )
      return {
        cancel() {
          dueAtMs.delete(due)
          timer.cancel()
        },
      }
    },
  }
  const settle = (): Promise<void> => quiet(() => activity() + everSet)
  return {
    clock,
    settle,
    async pass(ms) {
      const endMs = fake.monotonic() + ms
      for (;;) {
        await settle()
        const next = Math.min(endMs, ...Array.from(dueAtMs, ({ atMs }) => atMs))
        await fake.advance(next - fake.monotonic())
        if (next === endMs) return settle()
      }
    },
    get pendingTimers() {
      return fake.pendingTimers
    },
    nextTimerMs: (atLeastMs) =>
      Math.min(
        ...Array.from(dueAtMs, ({ atMs }) => atMs - fake.monotonic()).filter(
          (delayMs) => delayMs >= atLeastMs,
        ),
      ),
  }
}
