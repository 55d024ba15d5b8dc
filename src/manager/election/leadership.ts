import type { Clock } from '../../base/index.js'

/** One point in time on both clocks. */
export interface Moment {
  readonly monotonicMs: number
  readonly wallMs: number
}

export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() }
}

/**
 * What the clocks say about a lease that was last renewed by a request sent at `renewed`.
 *
 * - `valid`: it is ours.
 * - `expired`: longer ago than the renew deadline, which is shorter than the lease; the difference is for requests on
 *   their way and for clocks that run at different speeds.
 * - `unproven`: only the wall clock says so. The monotonic clock stands still while a machine sleeps, so it may be right;
 *   but somebody may as well have set it. A renewal that succeeds settles it: it names the version that we wrote last, so
 *   nobody can have held the lease in between.
 */
export type LeaseAge = 'valid' | 'expired' | 'unproven'

/** Judged at the moment of the question, so it is right also when the event loop was blocked and no timer has fired. */
export function judgeLease(renewed: Moment, clock: Clock, renewDeadlineMs: number): LeaseAge {
  const now = momentOf(clock)
  if (now.monotonicMs - renewed.monotonicMs >= renewDeadlineMs) return 'expired'
  return now.wallMs - renewed.wallMs >= renewDeadlineMs ? 'unproven' : 'valid'
}
