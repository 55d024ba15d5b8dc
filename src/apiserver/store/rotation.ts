import { unlinkSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { toError, yieldToEventLoop } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import { LogFile } from './log-file.js'
import type { LogJournal } from './log-journal.js'
import type { MemoryStore } from './memory-store.js'
import { writeSnapshot } from './snapshot-file.js'
import { findStoreFiles, logPath, snapshotPath, syncDirectory } from './store-files.js'

interface RotationOptions {
  readonly directory: string
  readonly rotateBytes: number
  readonly bootId: string
  readonly logger: Logger
}

/**
 * Replaces a log that has grown long by a snapshot of what it led to. The generation before is kept: it is where the
 * history comes from after a restart, and a way back if the new snapshot cannot be read.
 */
export class Rotation {
  readonly #options: RotationOptions
  #running: Promise<void> | undefined
  #isOver = false

  constructor(options: RotationOptions) {
    this.#options = options
  }

  /** Begins a rotation if it is time. */
  consider(journal: LogJournal, store: MemoryStore): void {
    if (this.#isOver || this.#running !== undefined || journal.log.size < this.#options.rotateBytes) return
    this.#running = this.#rotate(journal, store)
      .catch((error: unknown) => {
        // Nothing is lost: the log goes on. The next change tries again.
        this.#options.logger.error('The log of the store could not be replaced by a snapshot', {
          error: toError(error),
          directory: this.#options.directory,
        })
      })
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Resolves when none is under way, and none will be. */
  async finish(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #rotate(journal: LogJournal, store: MemoryStore): Promise<void> {
    const { directory, bootId } = this.#options
    // The change that made the log long enough has yet to happen in memory.
    await yieldToEventLoop()
    // From here to the switch nothing else runs: the new log begins exactly where the old one ends.
    const content = store.content()
    const log = beginLog(directory, content.revision, bootId)
    await journal.switchTo(log)
    await writeSnapshot(directory, content)
    await this.#removeBefore(content.revision)
  }

  /** Removes what lies before the last snapshot but this one. */
  async #removeBefore(revision: number): Promise<void> {
    const { directory } = this.#options
    const { snapshots, logs } = await findStoreFiles(directory)
    const kept = snapshots.filter((each) => each < revision).at(-1) ?? revision
    for (const each of snapshots) if (each < kept) await unlink(snapshotPath(directory, each))
    for (const each of logs) if (each < kept) await unlink(logPath(directory, each))
  }
}

/** A new log, safe on the disk, or none at all: an empty one would stand in the way of the next attempt. */
function beginLog(directory: string, revision: number, bootId: string): LogFile {
  const path = logPath(directory, revision)
  const log = new LogFile(path, 0)
  try {
    log.append({ type: 'begin', revision, note: bootId })
    log.syncNow()
    syncDirectory(directory)
    return log
  } catch (error) {
    log.closeNow()
    unlinkSync(path)
    throw error
  }
}
