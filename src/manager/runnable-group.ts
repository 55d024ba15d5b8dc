import { isKubewrightError, toError } from '../base/index.js'
import type { Runnable } from './runnable.js'
import { untilAborted } from './until-aborted.js'

/** Told of a runnable that ended with an error before it was told to stop. */
export type OnFailure = (runnable: Runnable, error: Error) => void

/** All runnables of one phase: started together, stopped together. Never rejects; failures are told. */
export class RunnableGroup {
  readonly #abort = new AbortController()
  readonly #onFailure: OnFailure
  readonly #onLateFailure: OnFailure
  readonly #waiting = new Set<Runnable>()
  readonly #running = new Map<Runnable, Promise<void>>()
  #started = false

  /** `onLateFailure` hears of errors after the stop, which change nothing any more. */
  constructor(onFailure: OnFailure, onLateFailure: OnFailure) {
    this.#onFailure = onFailure
    this.#onLateFailure = onLateFailure
  }

  /** Starts it at once where the group has started. */
  add(runnable: Runnable): void {
    if (this.#started) void this.#start(runnable)
    else this.#waiting.add(runnable)
  }

  /** Resolves when all are ready, or have ended, or are told to stop. */
  async start(): Promise<void> {
    if (this.#abort.signal.aborted) return
    this.#started = true
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    await Promise.all(waiting.map((runnable) => this.#start(runnable)))
  }

  /** Tells all to stop. What has not started will not. */
  stop(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** Resolves when none runs. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** The names of those that were told to stop and still run. */
  get unstoppable(): string[] {
    return this.#abort.signal.aborted ? Array.from(this.#running.keys(), (runnable) => runnable.name) : []
  }

  async #start(runnable: Runnable): Promise<void> {
    const { signal } = this.#abort
    const nobodyWaits = new AbortController()
    const giveUp = (): void => nobodyWaits.abort(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    const ended = this.#run(runnable).finally(() => {
      this.#running.delete(runnable)
      signal.removeEventListener('abort', giveUp)
      giveUp()
    })
    this.#running.set(runnable, ended)
    if (runnable.ready === undefined) return
    await Promise.race([this.#untilReady(runnable, nobodyWaits.signal), untilAborted(nobodyWaits.signal)])
  }

  async #run(runnable: Runnable): Promise<void> {
    const { signal } = this.#abort
    try {
      await runnable.run(signal)
    } catch (thrown) {
      const error = toError(thrown)
      if (!signal.aborted) this.#onFailure(runnable, error)
      else if (!isTheStop(error, signal)) this.#onLateFailure(runnable, error)
    }
  }

  async #untilReady(runnable: Runnable, nobodyWaits: AbortSignal): Promise<void> {
    try {
      await runnable.ready?.(nobodyWaits)
    } catch (thrown) {
      if (!nobodyWaits.aborted) this.#onFailure(runnable, toError(thrown))
    }
  }
}

/** Rejecting with the signal's reason is a usual way to say "stopped". */
function isTheStop(error: Error, signal: AbortSignal): boolean {
  return error === signal.reason || error.name === 'AbortError' || isKubewrightError(error, 'KW_ABORTED')
}
