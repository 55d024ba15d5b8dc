import { performance } from 'node:perf_hooks'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// Generous: it only matters for a test that fails anyway.
const patienceMs = 8_000

/** Waits, without a timer, until something is true: sockets and promises get their turns. Fails when it never is. */
export async function until(condition: () => boolean, what?: string): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`This never came true: ${what ?? condition.toString()}`)
    await nextTurn()
  }
}

// Everything is in one process and on the loopback, where what was written can be read at once: each hop of a message
// takes one or two turns, and no message has more than six hops.
const quietTurns = 30

/** Lets the event loop turn until nothing has been counted for so many turns that nothing can be on its way. */
export async function quiet(activity: () => number): Promise<void> {
  const endMs = performance.now() + patienceMs
  let seen = activity()
  for (let turns = 0; turns < quietTurns; turns++) {
    await nextTurn()
    const now = activity()
    if (now === seen) continue
    if (performance.now() > endMs)
      throw new Error('It never came to rest: something goes round without a pause.')
    turns = 0
    seen = now
  }
}
