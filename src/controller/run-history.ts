import type { Cause } from './cause.js'

/** One run of a reconcile, as the log and the console show it. */
export interface RunRecord {
  readonly id: string
  readonly controller: string
  readonly key: string
  readonly causes: readonly Cause[]
  /** Wall clock, milliseconds since 1970. */
  readonly startedAtMs: number
  readonly durationMs: number
  readonly result: 'settled' | 'again' | 'failed' | 'terminal' | 'timed-out'
  /** For `again`. */
  readonly afterMs?: number
  readonly error?: Error
}

/** The last runs, oldest first. Holds a fixed number of them. */
export class RunHistory {
  readonly #capacity: number
  readonly #runs: RunRecord[] = []
  #next = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(run: RunRecord): void {
    this.#runs[this.#next] = run
    this.#next = (this.#next + 1) % this.#capacity
  }

  get runs(): RunRecord[] {
    return this.#runs.length < this.#capacity
      ? this.#runs.slice()
      : [...this.#runs.slice(this.#next), ...this.#runs.slice(0, this.#next)]
  }
}
