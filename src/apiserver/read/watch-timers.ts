import type { Timer } from '../../base/index.js'
import type { Nature } from '../cluster-state.js'

interface WatchTimerOptions {
  /** Undefined or zero: half an hour at least, an hour at most, so that not all come back at once. */
  readonly timeoutSeconds: number | undefined
  readonly onDeadline: () => void
  /** About every minute, and shortly before the deadline, so that whoever comes back has missed little. */
  readonly onBookmark?: () => void
}

const shortestDefaultMs = 1_800_000
const bookmarkIntervalMs = 60_000
const bookmarkJitterMs = 1250
const beforeDeadlineMs = 2000

/** Sets the timers of a watch. Returns the function that takes them back. */
export function setWatchTimers(
  { clock, random }: Nature,
  { timeoutSeconds = 0, onDeadline, onBookmark }: WatchTimerOptions,
): () => void {
  const timeoutMs = timeoutSeconds === 0 ? shortestDefaultMs * (1 + random()) : timeoutSeconds * 1000
  const deadline = clock.monotonic() + timeoutMs
  const timers: Timer[] = [clock.setTimer(timeoutMs, onDeadline, { background: true })]

  const scheduleBookmark = (bookmark: () => void): void => {
    const now = clock.monotonic()
    const interval = bookmarkIntervalMs + random() * bookmarkJitterMs
    const delayMs = Math.min(interval, deadline - beforeDeadlineMs - now)
    if (delayMs <= 0) return
    timers[1] = clock.setTimer(
      delayMs,
      () => {
        bookmark()
        scheduleBookmark(bookmark)
      },
      { background: true },
    )
  }
  if (onBookmark !== undefined) scheduleBookmark(onBookmark)
  return () => {
    for (const timer of timers) timer.cancel()
  }
}
