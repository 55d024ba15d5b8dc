import { closeSync, constants, fdatasync, fdatasyncSync, ftruncateSync, openSync, writevSync } from 'node:fs'
import { promisify } from 'node:util'
import { toError } from '../../base/index.js'
import { encodeRecord, type StoreRecord } from './record.js'
import { StoreFailedError, StoreWriteError } from './store-errors.js'

const syncData = promisify(fdatasync)

/** A file that records are put at the end of, one whole record after the other. */
export class LogFile {
  readonly path: string
  readonly #fd: number
  #size: number
  #failure: StoreFailedError | undefined
  #running: Promise<void> | undefined

  /** Goes on behind `size`, where the last record ends. Creates the file if it is not there. */
  constructor(path: string, size: number) {
    this.path = path
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  /** The system has the record when this returns. When it throws, the file is as it was. */
  append(record: StoreRecord): void {
    if (this.#failure !== undefined) throw this.#failure
    const start = this.#size
    try {
      let rest = encodeRecord(record)
      for (let at = start; rest.length > 0; ) {
        const written = writevSync(this.#fd, rest, at)
        at += written
        rest = behind(rest, written)
        this.#size = at
      }
    } catch (error) {
      this.#size = start
      this.#cutOff(start)
      throw new StoreWriteError(this.path, error)
    }
  }

  /** Resolves when everything that was appended before survives the machine. One at a time. */
  sync(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    this.#running = syncData(this.#fd).catch((error: unknown) => {
      throw this.#fail(error)
    })
    return this.#running
  }

  syncNow(): void {
    try {
      fdatasyncSync(this.#fd)
    } catch (error) {
      throw this.#fail(error)
    }
  }

  /** Of a file that nothing is under way with. */
  closeNow(): void {
    closeSync(this.#fd)
  }

  /** After what is under way. */
  async close(): Promise<void> {
    await this.#running?.catch(() => {})
    this.closeNow()
  }

  /** Half a record must not stay where the next one would begin. */
  #cutOff(size: number): void {
    try {
      ftruncateSync(this.#fd, size)
    } catch (error) {
      this.#fail(error)
    }
  }

  // After a failed sync the system may have dropped what it could not write: to ask again would be answered with yes.
  #fail(error: unknown): StoreFailedError {
    this.#failure ??= new StoreFailedError(this.path, toError(error))
    return this.#failure
  }
}

function behind(parts: readonly Buffer[], written: number): Buffer[] {
  const rest: Buffer[] = []
  let skip = written
  for (const part of parts) {
    if (skip < part.length) rest.push(part.subarray(skip))
    skip = Math.max(0, skip - part.length)
  }
  return rest
}
