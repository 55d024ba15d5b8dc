import { type Clock, checkDelay, KubewrightError, yieldToEventLoop } from '../base/index.js'

export interface FakeClockOptions {
  /** Where the wall clock starts, in milliseconds since 1970: noon of the first day of 2026 unless said otherwise. */
  readonly now?: number
  /** Where the monotonic clock starts; zero unless said otherwise. */
  readonly monotonic?: number
}

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves time on and fires the timers that fall due, in order, at their own time. Before the first and after each of
   * them, promises and everything else that is ready may run, so timers that they set take part. Never sleeps. Rejects
   * with what a timer's callback throws, and with {@link RunawayTimersError}.
   */
  advance(ms: number): Promise<void>
  /** How many timers are set and have not fired. */
  readonly pendingTimers: number
}

/** Timers set timers without end, and time does not get on. */
export class RunawayTimersError extends KubewrightError {
  constructor(fired: number) {
    super(`${fired} timers fired at one moment: look for a retry without a delay.`, {
      code: 'KW_RUNAWAY_TIMERS',
    })
  }
}

interface FakeTimer {
  readonly dueAt: number
  readonly callback: () => void
}

const noonOf2026 = 1_767_268_800_000
const mostTimersPerMoment = 10_000
/** Work that passes through several turns of the event loop (a stream, a local socket) gets on, too. */
const turnsToSettle = 4

/** A clock for tests: nothing happens until `advance`, and then at once. */
export function createFakeClock(options: FakeClockOptions = {}): FakeClock {
  const { now = noonOf2026, monotonic = 0 } = options
  let elapsedMs = 0
  // In the order in which they fall due; equal ones in the order in which they were set.
  const timers: FakeTimer[] = []
  let lastAdvance: Promise<void> = Promise.resolve()

  const run = async (ms: number): Promise<void> => {
    const end = elapsedMs + ms
    await settle()
    let firedNow = 0
    for (let next = timers[0]; next !== undefined && next.dueAt <= end; next = timers[0]) {
      timers.shift()
      firedNow = next.dueAt > elapsedMs ? 1 : firedNow + 1
      if (firedNow > mostTimersPerMoment) throw new RunawayTimersError(mostTimersPerMoment)
      elapsedMs = Math.max(elapsedMs, next.dueAt)
      next.callback()
      await settle()
    }
    elapsedMs = end
    await settle()
  }

  return {
    now: () => now + elapsedMs,
    monotonic: () => monotonic + elapsedMs,
    setTimer(delayMs, callback) {
      checkDelay(delayMs)
      const timer = { dueAt: elapsedMs + Math.max(delayMs, 0), callback }
      const after = timers.findIndex(({ dueAt }) => dueAt > timer.dueAt)
      timers.splice(after === -1 ? timers.length : after, 0, timer)
      return {
        cancel: () => {
          const index = timers.indexOf(timer)
          if (index !== -1) timers.splice(index, 1)
        },
      }
    },
    advance(ms) {
      checkDelay(ms)
      // One after the other: two at once would fire timers at times that have passed.
      lastAdvance = lastAdvance.then(
        () => run(Math.max(ms, 0)),
        () => run(Math.max(ms, 0)),
      )
      return lastAdvance
    },
    get pendingTimers() {
      return timers.length
    },
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < turnsToSettle; turn++) await yieldToEventLoop()
}
