import { abortReason, type Clock } from '../base/index.js'

/** A wait that can be cut short, for one waiter. */
export interface Alarm {
  /** Ends the wait under way; with none, the next one ends at once. */
  ring(): void
  /** Resolves after the delay or when the alarm rings; rejects with the signal's reason when that aborts. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>
}

export function createAlarm(clock: Clock): Alarm {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(delayMs, signal) {
      if (!rung || signal.aborted) {
        await new Promise<void>((resolve, reject) => {
          if (signal.aborted) return reject(abortReason(signal))
          const settle = (): void => {
            timer.cancel()
            signal.removeEventListener('abort', onAbort)
            wake = undefined
          }
          const onAbort = (): void => {
            settle()
            reject(abortReason(signal))
          }
          wake = () => {
            settle()
            resolve()
          }
          const timer = clock.setTimer(delayMs, wake)
          signal.addEventListener('abort', onAbort, { once: true })
        })
      }
      rung = false
    },
  }
}
