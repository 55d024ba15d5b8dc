import { KubewrightError, toError } from '../../base/index.js'

/** Another server has the data directory open. */
export class StoreLockedError extends KubewrightError {
  readonly directory: string

  constructor(directory: string, cause?: unknown) {
    super(
      `The data directory ${directory} is in use by another server: stop that one, or give this one a directory of its own.`,
      { code: 'KW_STORE_LOCKED', cause },
    )
    this.directory = directory
  }
}

interface Damage {
  readonly file: string
  readonly offset: number
  readonly problem: string
  /** What to do about it. */
  readonly remedy: string
}

/** What is on the disk is not what was written there. */
export class StoreCorruptError extends KubewrightError {
  readonly file: string
  readonly offset: number

  constructor({ file, offset, problem, remedy }: Damage) {
    super(`${file} is damaged at byte ${offset}: ${problem}. ${remedy}`, { code: 'KW_STORE_CORRUPT' })
    this.file = file
    this.offset = offset
  }
}

/** A change could not be written to the disk, so it has not happened. */
export class StoreWriteError extends KubewrightError {
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(
      `Nothing can be written to ${file}: ${toError(cause).message}. Make room on the disk or check it, then try again.`,
      { code: 'KW_STORE_WRITE', cause },
    )
    this.file = file
  }
}

/**
 * The disk has failed in a way that leaves open what it holds: nothing more is written, so that nothing is promised that
 * is not there.
 */
export class StoreFailedError extends KubewrightError {
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(
      `The disk failed under ${file}: ${toError(cause).message}. Check it and start the server again; it goes on from what is safe there.`,
      { code: 'KW_STORE_FAILED', cause },
    )
    this.file = file
  }
}

/** The store was closed before. */
export class StoreClosedError extends KubewrightError {
  constructor() {
    super('The store is closed: nothing can be written any more. Write before the server is stopped.', {
      code: 'KW_STORE_CLOSED',
    })
  }
}
