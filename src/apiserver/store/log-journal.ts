import type { Journal } from './journal.js'
import type { LogFile } from './log-file.js'
import type { StoreEvent } from './store.js'
import { StoreClosedError } from './store-errors.js'

interface Waiter {
  readonly revision: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface LogJournalOptions {
  readonly log: LogFile
  /** That is in the log, and safe. */
  readonly revision: number
  /** Called after a change was appended, before it happens in memory. */
  readonly onAppend: () => void
  /** What is done before and after the last record, when the journal is closed. */
  readonly onClose: () => Promise<void>
  readonly onClosed: () => Promise<void>
}

/** Writes changes to a log, and makes them safe for all who wait with one sync. */
export class LogJournal implements Journal {
  readonly #options: LogJournalOptions
  #log: LogFile
  #written: number
  #safe: number
  #waiters: Waiter[] = []
  #syncing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(options: LogJournalOptions) {
    this.#options = options
    this.#log = options.log
    this.#written = options.revision
    this.#safe = options.revision
  }

  get log(): LogFile {
    return this.#log
  }

  append({ type, current }: StoreEvent): void {
    if (this.#closing !== undefined) throw new StoreClosedError()
    this.#log.append({ type: type === 'deleted' ? 'delete' : 'put', state: current })
    this.#written = current.revision
    this.#options.onAppend()
  }

  settled(revision: number): Promise<void> {
    if (revision <= this.#safe) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiters.push({ revision, resolve, reject })
      this.#syncing ??= this.#sync()
    })
  }

  /** Goes on with another log; the old one is whole and safe. Returns when nobody uses the old one any more. */
  async switchTo(log: LogFile): Promise<void> {
    const old = this.#log
    old.syncNow()
    this.#log = log
    this.#release(this.#written)
    await old.close()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#options.onClose()
    await this.#syncing
    try {
      this.#log.append({ type: 'end', revision: this.#written, note: '' })
      this.#log.syncNow()
      this.#release(this.#written)
    } finally {
      await this.#log.close()
      await this.#options.onClosed()
    }
  }

  /** Those who come while a sync is under way share the next one: what they wrote may be too late for this one. */
  async #sync(): Promise<void> {
    while (this.#waiters.length > 0) {
      const written = this.#written
      try {
        await this.#log.sync()
        this.#release(written)
      } catch (error) {
        const waiters = this.#waiters
        this.#waiters = []
        for (const { reject } of waiters) reject(error)
      }
    }
    this.#syncing = undefined
  }

  #release(safe: number): void {
    this.#safe = Math.max(this.#safe, safe)
    const ready = this.#waiters.filter(({ revision }) => revision <= this.#safe)
    this.#waiters = this.#waiters.filter(({ revision }) => revision > this.#safe)
    for (const { resolve } of ready) resolve()
  }
}
