import { type Clock, type Random, sleep, systemClock, throwIfAborted } from '../base/index.js'
import { isConflict } from '../objects/index.js'

/** How often, and how fast. */
export interface RetryOnConflictOptions {
  /** How often at most, the first time included: 5. */
  readonly maxTries?: number
  /** Before each further try, plus up to a tenth at random: 10 ms. */
  readonly delayMs?: number
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock
  readonly random?: Random
}

/**
 * Runs a read-modify-write again when somebody else wrote in between. The function must read the object anew each time:
 * repeating a write of the same old object can only fail again. Throws the last conflict when tries run out; any other
 * error at once, conflicts of field ownership included, which no repetition solves.
 */
export async function retryOnConflict<R>(
  readModifyWrite: () => Promise<R>,
  options: RetryOnConflictOptions = {},
): Promise<R> {
  const { maxTries = 5, delayMs = 10, signal, clock = systemClock, random = Math.random } = options
  for (let tries = 1; ; tries++) {
    throwIfAborted(signal)
    try {
      return await readModifyWrite()
    } catch (error) {
      if (tries >= maxTries || !isConflict(error)) throw error
      await sleep(clock, delayMs * (1 + 0.1 * random()), signal)
    }
  }
}
