import type { Readable } from 'node:stream'
import type { Clock, Timer } from '../../base/index.js'

/** What a body is read from, and how long it may be silent. */
export interface BodyStreamOptions {
  readonly source: Readable
  readonly clock: Clock
  /** Longest silence of the source while somebody waits for it. Zero: no limit. */
  readonly idleTimeoutMs: number
  readonly idleError: () => Error
  /** Turns what the source emits into the error that the reader sees. */
  readonly toBodyError: (error: Error) => Error
  /** Called once, when the stream has ended, failed or been left: frees what belongs to the exchange. */
  readonly onClose: () => void
}

// Enough to keep the parser busy while the socket fills again, little enough for a thousand watches.
const highWaterBytes = 256 * 1024

const done: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * A response's body as an async iterator: one reader, one pass. Reads ahead up to a limit and then pauses the socket, so
 * a slow reader slows the server down instead of filling the memory. Leaving the iteration closes the connection.
 */
export class BodyStream implements AsyncIterableIterator<Uint8Array> {
  readonly #options: BodyStreamOptions
  #chunks: Uint8Array[] = []
  #at = 0
  #queuedBytes = 0
  #isPaused = false
  #outcome: 'open' | 'ended' | Error = 'open'
  #waiting:
    | ((settle: { readonly result: IteratorResult<Uint8Array> } | { readonly error: Error }) => void)
    | undefined
  #idleTimer: Timer | undefined
  #lastByteMs: number

  constructor(options: BodyStreamOptions) {
    this.#options = options
    const { source, clock, idleTimeoutMs } = options
    this.#lastByteMs = clock.monotonic()
    source.on('data', (chunk: Uint8Array) => this.#onData(chunk))
    source.once('end', () => this.#finish('ended'))
    source.once('error', (error) => this.#finish(options.toBodyError(error)))
    // A source may close without a word when its socket is destroyed.
    source.once('close', () => {
      if (this.#outcome === 'open') this.#finish(options.toBodyError(new Error('closed')))
    })
    if (idleTimeoutMs > 0) this.#armIdleTimer(idleTimeoutMs)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#chunks[this.#at]
    if (chunk !== undefined) {
      this.#take(chunk)
      return Promise.resolve({ done: false, value: chunk })
    }
    if (this.#outcome === 'ended') return Promise.resolve(done)
    if (this.#outcome !== 'open') {
      const error = this.#outcome
      // An error is told once; whoever asks again learns that there is nothing more.
      this.#outcome = 'ended'
      return Promise.reject(error)
    }
    return new Promise((resolve, reject) => {
      this.#waiting = (settled) => {
        this.#waiting = undefined
        if ('error' in settled) reject(settled.error)
        else resolve(settled.result)
      }
    })
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks = []
    this.#at = 0
    this.#finish('ended')
    this.#outcome = 'ended'
    this.#options.source.destroy()
    return Promise.resolve(done)
  }

  /** Ends the stream with this error, after what was already received. */
  fail(error: Error): void {
    this.#finish(error)
    this.#options.source.destroy()
  }

  #onData(chunk: Uint8Array): void {
    this.#lastByteMs = this.#options.clock.monotonic()
    if (this.#outcome !== 'open') return
    if (this.#waiting !== undefined) return this.#waiting({ result: { done: false, value: chunk } })
    this.#chunks.push(chunk)
    this.#queuedBytes += chunk.byteLength
    if (this.#queuedBytes >= highWaterBytes && !this.#isPaused) {
      this.#isPaused = true
      this.#options.source.pause()
    }
  }

  #take(chunk: Uint8Array): void {
    this.#queuedBytes -= chunk.byteLength
    if (++this.#at === this.#chunks.length) {
      this.#chunks = []
      this.#at = 0
      if (this.#isPaused) {
        this.#isPaused = false
        this.#lastByteMs = this.#options.clock.monotonic()
        this.#options.source.resume()
      }
    }
  }

  #finish(outcome: 'ended' | Error): void {
    if (this.#outcome !== 'open') return
    this.#outcome = outcome
    this.#idleTimer?.cancel()
    this.#options.onClose()
    if (this.#waiting === undefined) return
    if (outcome === 'ended') return this.#waiting({ result: done })
    this.#outcome = 'ended'
    this.#waiting({ error: outcome })
  }

  // One timer that looks back, instead of one that is set anew for each chunk.
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
