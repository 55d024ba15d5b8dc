import { type Logger, silentLogger } from '../observe/index.js'

/** The part of `process` that tells of signals. */
export type SignalSource = Pick<NodeJS.EventEmitter, 'on' | 'off'>

export interface StopOnSignalsOptions {
  readonly log?: Logger
  /** Ends the process at once: `process.exit`. */
  readonly exit: (code: number) => void
  readonly signals?: readonly NodeJS.Signals[]
}

/** A stop that is asked for from outside. */
export interface StopOnSignals extends Disposable {
  /** Aborts at the first signal: give it to `manager.run`. */
  readonly signal: AbortSignal
}

/**
 * The first SIGTERM or SIGINT asks for a graceful stop; the second ends the process with code 1 at once, whatever still
 * runs. Call it once, before the start: a signal that nobody handles kills the process. Disposing takes the handlers away.
 */
export function stopOnSignals(process: SignalSource, options: StopOnSignalsOptions): StopOnSignals {
  const { log = silentLogger, exit, signals = ['SIGTERM', 'SIGINT'] } = options
  const controller = new AbortController()
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      log.warn('Second signal: exiting at once.', { signal: name })
      exit(1)
    } else {
      log.info('Stopping. A second signal exits at once.', { signal: name })
      controller.abort()
    }
  }
  for (const name of signals) process.on(name, onSignal)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, onSignal)
    },
  }
}
