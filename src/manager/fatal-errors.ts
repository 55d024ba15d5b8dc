import { type Clock, sleep, systemClock, toError } from '../base/index.js'
import type { Logger } from '../observe/index.js'
import type { SignalSource } from './signals.js'

export interface ExitOnFatalErrorsOptions {
  readonly log: Logger
  /** Ends the process: `process.exit`. */
  readonly exit: (code: number) => void
  /** Writes out what is still buffered: log lines. Waited for, but no longer than `flushTimeoutMs`. */
  readonly flush?: () => Promise<void>
  readonly flushTimeoutMs?: number
  readonly clock?: Clock
}

/**
 * Ends the process with code 1 when an error reaches nobody: an exception outside of any handler, a rejection that nobody
 * awaits. Nobody knows what such an error left half-done, and a half-dead operator is worse than one that starts anew. The
 * error is logged with its causes and the log flushed first. Disposing takes the handlers away.
 */
export function exitOnFatalErrors(process: SignalSource, options: ExitOnFatalErrorsOptions): Disposable {
  const { log, exit, flush = async () => {}, flushTimeoutMs = 2_000, clock = systemClock } = options
  let isExiting = false

  const flushInTime = async (): Promise<void> => {
    const flushed = new AbortController()
    try {
      await Promise.race([flush(), sleep(clock, flushTimeoutMs, flushed.signal)])
    } catch {
      // Whatever hinders the flush, the process must end.
    } finally {
      flushed.abort()
    }
  }
  const fail = (what: string, thrown: unknown): void => {
    log.error(what, { error: toError(thrown) })
    // An error on the way out (a closed standard output, for example) must not start this over.
    if (isExiting) return
    isExiting = true
    void flushInTime().then(() => exit(1))
  }
  const onException = (thrown: unknown): void =>
    fail('An exception reached nobody: exiting. Catch it where it is thrown.', thrown)
  const onRejection = (thrown: unknown): void =>
    fail('A rejected promise was awaited by nobody: exiting. Await it, or handle its rejection.', thrown)

  process.on('uncaughtException', onException)
  process.on('unhandledRejection', onRejection)
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', onException)
      process.off('unhandledRejection', onRejection)
    },
  }
}
