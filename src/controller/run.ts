import { type Clock, KubewrightError } from '../base/index.js'
import type { Cause } from './cause.js'

/** A run took longer than the controller's timeoutMs. */
export class ReconcileTimeoutError extends KubewrightError {
  constructor(controller: string, key: string, timeoutMs: number) {
    super(
      `The reconcile of ${key} by ${controller} took longer than ${timeoutMs} ms. It was told to stop and may not write ` +
        'any more. Pass ctx.signal to what it waits for, or raise timeoutMs.',
      { code: 'KW_RECONCILE_TIMEOUT' },
    )
  }
}

/** A run that was told to stop tried to write. */
export class RunEndedError extends KubewrightError {
  constructor(controller: string, key: string) {
    super(
      `The reconcile of ${key} by ${controller} has ended or was told to stop, so its write was refused. ` +
        'Await everything that a reconcile starts, and stop when ctx.signal aborts.',
      { code: 'KW_RUN_ENDED' },
    )
  }
}

export interface RunOptions {
  readonly id: string
  readonly controller: string
  readonly key: string
  readonly causes: readonly Cause[]
  readonly clock: Clock
  readonly timeoutMs: number | undefined
}

/** One run of a reconcile: its signal, its time limit and its right to write. */
export class Run {
  readonly id: string
  readonly key: string
  readonly causes: readonly Cause[]
  readonly startedAtMs: number
  /** Rejects when the time is up; never resolves. */
  readonly timedOut: Promise<never>
  readonly ended: Promise<void>
  readonly #options: RunOptions
  readonly #startedMs: number
  readonly #abort = new AbortController()
  readonly #end: () => void
  #mayWrite = true

  constructor(options: RunOptions) {
    const { clock, timeoutMs } = options
    this.#options = options
    this.id = options.id
    this.key = options.key
    this.causes = options.causes
    this.startedAtMs = clock.now()
    this.#startedMs = clock.monotonic()
    let cancelTimer = (): void => {}
    this.timedOut = new Promise((_, reject) => {
      if (timeoutMs === undefined) return
      const timer = clock.setTimer(timeoutMs, () => {
        const error = new ReconcileTimeoutError(options.controller, options.key, timeoutMs)
        this.revoke(error)
        reject(error)
      })
      cancelTimer = () => timer.cancel()
    })
    // Nobody may be listening any more when the time is up.
    this.timedOut.catch(() => {})
    let markEnded = (): void => {}
    this.ended = new Promise((resolve) => {
      markEnded = resolve
    })
    this.#end = () => {
      this.#mayWrite = false
      cancelTimer()
      markEnded()
    }
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get seconds(): number {
    return (this.#options.clock.monotonic() - this.#startedMs) / 1000
  }

  /** Told to stop, and still there. */
  get isRevoked(): boolean {
    return this.#abort.signal.aborted
  }

  /** Tells the run to stop; from now on it may not write. */
  revoke(reason: Error): void {
    this.#mayWrite = false
    this.#abort.abort(reason)
  }

  end(): void {
    this.#end()
  }

  assertMayWrite(): void {
    if (!this.#mayWrite) throw new RunEndedError(this.#options.controller, this.key)
  }
}
