import type { WatchBacklog } from './read-request.js'

/** The bytes to send, soon or at once; undefined when there is nothing to send after all. */
export type Sendable = Buffer | undefined | Promise<Buffer | undefined>

interface StreamOptions<S> {
  readonly backlog: WatchBacklog
  /** Makes the bytes of what was pushed as something else, when its turn has come. */
  readonly encode: (source: S) => Sendable
  /** The last words of a stream after a failure of `encode`. */
  readonly describe: (error: unknown) => Buffer
  /** Called once, whatever ends the stream. */
  readonly onEnd: () => void
}

const batchBytes = 64 * 1024

/** The body of a watch: what is pushed comes out in order, in batches, as fast as its one reader reads. */
export class WatchStream<S extends object> implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #options: StreamOptions<S>
  #entries: (Buffer | S)[] = []
  /** Of the entries, as many have been taken. */
  #taken = 0
  #waitingBytes = 0
  /** Was taken, and is being made. */
  #pending: Promise<Buffer | undefined> | undefined
  #state: 'open' | 'ending' | 'ended' = 'open'
  #failure: Error | undefined
  #wake: (() => void) | undefined

  constructor(options: StreamOptions<S>) {
    this.#options = options
  }

  /** Whether it takes more. */
  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** Something that the store holds anyway: it counts as no backlog. */
  pushPast(source: S): void {
    if (this.#state === 'open') this.#entries.push(source)
  }

  /** A reader that is too far behind loses the stream, as on the real server: it can begin again where it was. */
  push(entry: Buffer | S): void {
    if (this.#state !== 'open') return
    this.#entries.push(entry)
    if (Buffer.isBuffer(entry)) this.#waitingBytes += entry.length
    const { events, bytes } = this.#options.backlog
    if (this.#entries.length - this.#taken > events || this.#waitingBytes > bytes) this.#stop()
    this.#wake?.()
  }

  /** No more will come; what is waiting is still sent. */
  end(): void {
    if (this.#state !== 'open') return
    this.#state = 'ending'
    this.#options.onEnd()
    this.#wake?.()
  }

  /** Fails the reader, now. */
  fail(failure: Error): void {
    if (this.#state === 'ended') return
    this.#failure = failure
    this.#stop()
    this.#wake?.()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const pending = this.#pending
      const value = pending === undefined ? this.#takeBatch() : await this.#takePending(pending)
      if (this.#failure !== undefined) {
        const failure = this.#failure
        this.#failure = undefined
        throw failure
      }
      if (value !== undefined) return { done: false, value }
      // Something turned out to be nothing, or is being made: there may be more behind it.
      if (pending !== undefined || this.#pending !== undefined) continue
      if (this.#state !== 'open') {
        this.#stop()
        return { done: true, value: undefined }
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#failure = undefined
    this.#stop()
    this.#wake?.()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** As much as can be sent at once. A single event goes out as it is: many readers share its bytes. */
  #takeBatch(): Buffer | undefined {
    const batch: Buffer[] = []
    for (let bytes = 0; bytes < batchBytes && this.#pending === undefined; ) {
      const entry = this.#take()
      if (entry === undefined) break
      const sendable = Buffer.isBuffer(entry) ? entry : this.#encode(entry)
      if (sendable instanceof Promise) {
        this.#pending = sendable
      } else if (sendable !== undefined) {
        batch.push(sendable)
        bytes += sendable.length
      }
    }
    return batch.length > 1 ? Buffer.concat(batch) : batch[0]
  }

  async #takePending(pending: Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    try {
      return await pending
    } catch (error) {
      return this.#break(error)
    } finally {
      this.#pending = undefined
    }
  }

  #encode(source: S): Sendable {
    try {
      return this.#options.encode(source)
    } catch (error) {
      return this.#break(error)
    }
  }

  #break(error: unknown): Buffer | undefined {
    if (this.#state === 'ended') return undefined
    this.#stop()
    return this.#options.describe(error)
  }

  #take(): Buffer | S | undefined {
    const entry = this.#entries[this.#taken]
    if (entry === undefined) return undefined
    this.#taken++
    if (Buffer.isBuffer(entry)) this.#waitingBytes -= entry.length
    if (this.#taken === this.#entries.length || this.#taken >= 1024) {
      this.#entries = this.#entries.slice(this.#taken)
      this.#taken = 0
    }
    return entry
  }

  #stop(): void {
    this.#entries = []
    this.#taken = 0
    this.#waitingBytes = 0
    const wasOpen = this.#state === 'open'
    this.#state = 'ended'
    if (wasOpen) this.#options.onEnd()
  }
}
