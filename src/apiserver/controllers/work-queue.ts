import { type Backoff, createBackoff, type Timer, toError, yieldToEventLoop } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { Nature } from '../cluster-state.js'

export interface WorkQueueOptions {
  readonly name: string
  readonly nature: Nature
  readonly log: Logger
  /** Brings one thing into order. A rejection means: again, later. */
  readonly work: (key: string) => Promise<void>
}

// As the controllers of the real one: quick at first, and patient in the end.
const firstRetryMs = 10
const longestRetryMs = 30_000

const keysInOneTurn = 20

/**
 * The loop of a controller inside the server: one key at a time, in the order in which they came, none twice in the
 * queue. Works in turns of its own, never within the change that woke it.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #keys = new Set<string>()
  readonly #timers = new Map<string, { readonly timer: Timer; readonly atMs: number }>()
  readonly #backoffs = new Map<string, Backoff>()
  #isWorking = false
  #isStopped = false

  constructor(options: WorkQueueOptions) {
    this.#options = options
  }

  add(key: string): void {
    if (this.#isStopped) return
    this.#keys.add(key)
    if (this.#isWorking) return
    this.#isWorking = true
    void this.#drain()
  }

  /** Adds the key after a time; an earlier appointment of it stands. */
  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return
    if (delayMs <= 0) return this.add(key)
    const { clock } = this.#options.nature
    const atMs = clock.monotonic() + delayMs
    const known = this.#timers.get(key)
    if (known !== undefined && known.atMs <= atMs) return
    known?.timer.cancel()
    const wake = (): void => {
      this.#timers.delete(key)
      this.add(key)
    }
    this.#timers.set(key, { atMs, timer: clock.setTimer(delayMs, wake, { background: true }) })
  }

  /** Nothing begins after this. */
  stop(): void {
    this.#isStopped = true
    this.#keys.clear()
    for (const { timer } of this.#timers.values()) timer.cancel()
    this.#timers.clear()
  }

  async #drain(): Promise<void> {
    // Whoever made the change comes first: it has its answer before anything follows from it.
    await Promise.resolve()
    let done = 0
    for (const key of this.#keys) {
      this.#keys.delete(key)
      // Work that makes itself more work must not keep requests from being read.
      if (++done % keysInOneTurn === 0) await yieldToEventLoop()
      if (this.#isStopped) break
      try {
        await this.#options.work(key)
        this.#backoffs.delete(key)
      } catch (error) {
        this.#retry(key, toError(error))
      }
    }
    this.#isWorking = false
  }

  #retry(key: string, error: Error): void {
    const { name, nature, log } = this.#options
    let backoff = this.#backoffs.get(key)
    if (backoff === undefined) {
      backoff = createBackoff({
        initialMs: firstRetryMs,
        maxMs: longestRetryMs,
        factor: 2,
        jitter: 0,
        random: nature.random,
      })
      this.#backoffs.set(key, backoff)
    }
    log.debug(`${name} tries ${key} again.`, { error })
    this.addAfter(key, backoff.next(nature.clock.monotonic()))
  }
}
