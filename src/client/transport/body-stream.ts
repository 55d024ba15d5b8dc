import type { Clock, Timer } from '../../base/index.js'

/** What feeds a body. */
export interface BodySource {
  /** Send nothing more for now. */
  pause(): void
  resume(): void
  /** Nobody wants the rest. */
  destroy(): void
}

/** How long a body may be silent, and who is told of its end. */
export interface BodyStreamOptions {
  readonly source: BodySource
  readonly clock: Clock
  /** Longest silence of the source while somebody waits for it. Zero: no limit. */
  readonly idleTimeoutMs: number
  readonly idleError: () => Error
  /** Called once, when the stream has ended, failed or been left: frees what belongs to the exchange. */
  readonly onClose: () => void
}

// Enough to keep the parser busy while the socket fills again, little enough for a thousand watches.
const highWaterBytes = 256 * 1024

const done: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * A response's body as an async iterator: one reader, one pass. Reads ahead up to a limit and then pauses its source, so
 * a slow reader slows the server down instead of filling the memory. Leaving the iteration destroys the source.
 */
export class BodyStream implements AsyncIterableIterator<Uint8Array> {
  readonly #options: BodyStreamOptions
  #pieces: Uint8Array[] = []
  #at = 0
  #queuedBytes = 0
  #isPaused = false
  #outcome: 'open' | 'ended' | Error = 'open'
  #waiting: { resolve(result: IteratorResult<Uint8Array>): void; reject(error: Error): void } | undefined
  #idleTimer: Timer | undefined
  #lastByteMs = 0

  constructor(options: BodyStreamOptions) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const piece = this.#pieces[this.#at]
    if (piece !== undefined) {
      this.#take(piece)
      return Promise.resolve({ done: false, value: piece })
    }
    if (this.#outcome === 'ended') return Promise.resolve(done)
    if (this.#outcome !== 'open') {
      const error = this.#outcome
      // An error is told once; whoever asks again learns that there is nothing more.
      this.#outcome = 'ended'
      return Promise.reject(error)
    }
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#pieces = []
    this.#at = 0
    const wasOpen = this.#outcome === 'open'
    this.#finish('ended')
    this.#outcome = 'ended'
    if (wasOpen) this.#options.source.destroy()
    return Promise.resolve(done)
  }

  /** The next piece has arrived. */
  push(piece: Uint8Array): void {
    if (this.#outcome !== 'open') return
    if (this.#idleTimer !== undefined) this.#lastByteMs = this.#options.clock.monotonic()
    const waiting = this.#waiting
    if (waiting !== undefined) {
      this.#waiting = undefined
      return waiting.resolve({ done: false, value: piece })
    }
    this.#pieces.push(piece)
    this.#queuedBytes += piece.byteLength
    if (this.#queuedBytes >= highWaterBytes && !this.#isPaused) {
      this.#isPaused = true
      this.#options.source.pause()
    }
  }

  /** The source has ended, as it should. */
  end(): void {
    this.#finish('ended')
  }

  /** Ends the stream with this error, after what was already received. */
  fail(error: Error): void {
    if (this.#outcome !== 'open') return
    this.#finish(error)
    this.#options.source.destroy()
  }

  /** More is to come: from now on silence counts. A body that came in one piece with its head needs no timer. */
  watchForSilence(): void {
    const { clock, idleTimeoutMs } = this.#options
    if (this.#outcome !== 'open' || this.#idleTimer !== undefined || idleTimeoutMs === 0) return
    this.#lastByteMs = clock.monotonic()
    this.#armIdleTimer(idleTimeoutMs)
  }

  #take(piece: Uint8Array): void {
    this.#queuedBytes -= piece.byteLength
    if (++this.#at < this.#pieces.length) return
    this.#pieces = []
    this.#at = 0
    if (!this.#isPaused) return
    this.#isPaused = false
    if (this.#outcome !== 'open') return
    this.#lastByteMs = this.#options.clock.monotonic()
    this.#options.source.resume()
  }

  #finish(outcome: 'ended' | Error): void {
    if (this.#outcome !== 'open') return
    this.#outcome = outcome
    this.#idleTimer?.cancel()
    this.#options.onClose()
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    if (outcome === 'ended') return waiting.resolve(done)
    this.#outcome = 'ended'
    waiting.reject(outcome)
  }

  // One timer that looks back, instead of one that is set anew for each piece.
  #armIdleTimer(delayMs: number): void {
    const { clock, idleTimeoutMs, idleError } = this.#options
    this.#idleTimer = clock.setTimer(
      delayMs,
      () => {
        const silentMs = clock.monotonic() - this.#lastByteMs
        // While it is we who do not read, silence says nothing about the server.
        if (this.#isPaused) this.#armIdleTimer(idleTimeoutMs)
        else if (silentMs < idleTimeoutMs) this.#armIdleTimer(idleTimeoutMs - silentMs)
        else this.fail(idleError())
      },
      { background: true },
    )
  }
}
