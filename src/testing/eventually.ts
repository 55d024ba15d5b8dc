import {
  abortReason,
  type Clock,
  KubewrightError,
  raceAbort,
  sleep,
  systemClock,
  toError,
} from '../base/index.js'

export interface EventuallyOptions {
  /** How long to try; ten seconds unless said otherwise. */
  readonly timeoutMs?: number
  /** How long to wait between two tries; 50 ms unless said otherwise. */
  readonly intervalMs?: number
  readonly clock?: Clock
  /** Stops trying. */
  readonly signal?: AbortSignal
}

/** What was to become true did not, in time. The cause is the last failure. */
export class EventuallyError extends KubewrightError {
  readonly tries: number
  readonly elapsedMs: number

  constructor(tries: number, elapsedMs: number, cause: unknown) {
    const why = cause === undefined ? 'the first try did not finish' : toError(cause).message
    super(
      `Not true after ${Math.round(elapsedMs)} ms and ${tries} ${tries === 1 ? 'try' : 'tries'}: ${why}`,
      {
        code: 'KW_EVENTUALLY_TIMEOUT',
        cause,
      },
    )
    this.tries = tries
    this.elapsedMs = elapsedMs
  }
}

/**
 * Tries an assertion until it passes and returns what it returns. It gets a signal that aborts when the time is over, so
 * an assertion that hangs is given up too. Throws {@link EventuallyError}, or the reason of the caller's signal.
 */
export async function eventually<T>(
  assertion: (signal: AbortSignal) => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const { timeoutMs = 10_000, intervalMs = 50, clock = systemClock, signal } = options
  const startedAt = clock.monotonic()
  const deadline = new AbortController()
  const timer = clock.setTimer(timeoutMs, () => deadline.abort())
  const over = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
  let tries = 0
  let lastError: unknown
  try {
    while (signal?.aborted !== true) {
      tries++
      try {
        return await raceAbort(attempt(assertion, over), over)
      } catch (error) {
        if (over.aborted) break
        lastError = error
      }
      // Whether the time is over is seen below; the rejection adds nothing.
      await sleep(clock, intervalMs, over).catch(() => {})
      if (over.aborted) break
    }
  } finally {
    timer.cancel()
  }
  if (signal?.aborted === true) throw abortReason(signal)
  throw new EventuallyError(tries, clock.monotonic() - startedAt, lastError)
}

async function attempt<T>(
  assertion: (signal: AbortSignal) => T | Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return assertion(signal)
}
