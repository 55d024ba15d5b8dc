import { write as fsWrite, writeSync as fsWriteSync } from 'node:fs'
import { type Clock, systemClock, type Timer } from '../base/index.js'

/** Takes lines and writes them in the background. */
export interface LogSink {
  /** Takes a line with its line feed. Never blocks and never throws. */
  readonly write: (line: string) => void
  /** Resolves when every line taken so far is written or lost. */
  flush(): Promise<void>
  /** Writes what it can at once, and takes nothing more. */
  close(): void
}

export interface LogSinkOptions {
  /** Standard output (1) unless said otherwise. */
  readonly fd?: number
  /** What a reader that stands still may cost in memory; further lines are lost. One mebibyte unless said otherwise. */
  readonly maxPendingChars?: number
  /** A line to write, once there is room again, about the lines that were lost. */
  readonly describeLoss?: (lines: number) => string
  readonly clock?: Clock
  /** How bytes are written: as `node:fs` does it. */
  readonly io?: LogSinkIo
}

/** The two calls of `node:fs` that a sink makes. */
export interface LogSinkIo {
  write(
    fd: number,
    bytes: Uint8Array,
    offset: number,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ): void
  writeSync(fd: number, bytes: Uint8Array): number
}

const nodeIo: LogSinkIo = {
  write: (fd, bytes, offset, done) => fsWrite(fd, bytes, offset, bytes.length - offset, null, done),
  writeSync: (fd, bytes) => fsWriteSync(fd, bytes),
}

const retryMs = 20
/** A write that takes longer has a reader that stands still: waiting for it would hold up the end of the process. */
const stalledMs = 200
/** A write that was just handed to the thread pool is done in far less. */
const settleMs = 10
const mostFinalTries = 20

/**
 * A sink for a file descriptor. Writing a full pipe blocks the event loop if done the ordinary way (`process.stdout`), so
 * the thread pool does it: at most one write at a time, the lines that come meanwhile go with the next one. When the
 * process exits, what is left is written at once.
 */
export function createLogSink(options: LogSinkOptions = {}): LogSink {
  const { fd = 1, maxPendingChars = 1_048_576, clock = systemClock, io = nodeIo, describeLoss } = options
  let pending = ''
  let lost = 0
  let state: 'idle' | 'writing' | 'closed' = 'idle'
  let writingSince = 0
  let waiting: (() => void)[] = []
  let refused: { readonly bytes: Uint8Array; readonly offset: number } | undefined
  let retry: Timer | undefined

  const settle = (): void => {
    state = state === 'closed' ? 'closed' : 'idle'
    const resolved = waiting
    waiting = []
    for (const resolve of resolved) resolve()
  }
  const takePending = (): Buffer => {
    const loss = lost > 0 && describeLoss !== undefined ? describeLoss(lost) : ''
    const bytes = Buffer.from(pending + loss)
    pending = ''
    lost = 0
    return bytes
  }
  const writeFrom = (bytes: Uint8Array, offset: number): void => {
    // No bytes: lines were lost, and nobody wants to know.
    if (state === 'closed' || bytes.length === 0) return settle()
    writingSince = clock.monotonic()
    try {
      io.write(fd, bytes, offset, (error, written) => onWritten(bytes, offset, error, written))
    } catch {
      close()
    }
  }
  const onWritten = (
    bytes: Uint8Array,
    offset: number,
    error: NodeJS.ErrnoException | null,
    written: number,
  ): void => {
    if (error === null) {
      if (offset + written < bytes.length) return writeFrom(bytes, offset + written)
      if (pending === '' && lost === 0) return settle()
      return writeFrom(takePending(), 0)
    }
    if (isFull(error)) {
      refused = { bytes, offset }
      retry = clock.setTimer(
        retryMs,
        () => {
          refused = undefined
          writeFrom(bytes, offset)
        },
        { background: true },
      )
      return
    }
    // The reader is gone, and will not come back.
    end()
  }
  const end = (): void => {
    pending = ''
    state = 'closed'
    retry?.cancel()
    process.off('exit', close)
    settle()
  }
  const close = (): void => {
    if (state === 'closed') return
    if (refused !== undefined) {
      writeNow(refused.bytes.subarray(refused.offset))
      writeNow(takePending())
    } else if (state !== 'writing') {
      writeNow(takePending())
    } else if (clock.monotonic() - writingSince <= stalledMs) {
      pauseThread(settleMs)
      writeNow(takePending())
    }
    end()
  }
  /** For the end of the process: patient for a moment, then silent, since there is nobody left to tell. */
  const writeNow = (bytes: Uint8Array): void => {
    let offset = 0
    for (let tries = 0; offset < bytes.length && tries < mostFinalTries; tries++) {
      try {
        offset += io.writeSync(fd, bytes.subarray(offset))
      } catch (error) {
        if (!isFull(error)) return
        pauseThread(settleMs)
      }
    }
  }
  process.once('exit', close)

  return {
    write: (line) => {
      if (state === 'closed') return
      if (pending.length + line.length > maxPendingChars) {
        lost++
        return
      }
      pending += line
      if (state === 'writing') return
      state = 'writing'
      writeFrom(takePending(), 0)
    },
    flush: () => (state === 'writing' ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    close,
  }
}

/** Full for the moment: a pipe that somebody made non-blocking, or a disk. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'ENOSPC')
}

/** Stops this thread, and only this thread. */
function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
