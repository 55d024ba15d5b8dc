import { type Clock, KubewrightError, type Timer } from '../base/index.js'
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
  /** Rejects when the time is up; never resolves. Absent without a limit. */
  readonly timedOut: Promise<never> | undefined
  readonly #options: RunOptions
  readonly #startedMs: number
  #timer: Timer | undefined
  /** Made when somebody asks for the signal: most runs find nothing to do. */
  #abort: AbortController | undefined
  #revokedBy: Error | undefined
  #mayWrite = true
  #hasEnded = false
  readonly #endListeners: (() => void)[] = []

  constructor(options: RunOptions) {
    const { clock, timeoutMs } = options
    this.#options = options
    this.id = options.id
    this.key = options.key
    this.causes = options.causes
    this.startedAtMs = clock.now()
    this.#startedMs = clock.monotonic()
    if (timeoutMs === undefined) return
    this.timedOut = new Promise((_, reject) => {
      this.#timer = clock.setTimer(timeoutMs, () => {
        const error = new ReconcileTimeoutError(options.controller, options.key, timeoutMs)
        this.revoke(error)
        reject(error)
      })
    })
    // Nobody may be listening any more when the time is up.
    this.timedOut.catch(() => {})
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#revokedBy !== undefined) this.#abort.abort(this.#revokedBy)
    }
    return this.#abort.signal
  }

  get seconds(): number {
    return (this.#options.clock.monotonic() - this.#startedMs) / 1000
  }

  /** Told to stop, and still there. */
  get isRevoked(): boolean {
    return this.#revokedBy !== undefined
  }

  get ended(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasEnded) resolve()
      else this.#endListeners.push(resolve)
    })
  }

  /** Tells the run to stop; from now on it may not write. */
  revoke(reason: Error): void {
    this.#mayWrite = false
    this.#revokedBy ??= reason
    this.#abort?.abort(reason)
  }

  end(): void {
    this.#mayWrite = false
    this.#hasEnded = true
    this.#timer?.cancel()
    for (const listener of this.#endListeners.splice(0)) listener()
  }

  assertMayWrite(): void {
    if (!this.#mayWrite) throw new RunEndedError(this.#options.controller, this.key)
  }
}
