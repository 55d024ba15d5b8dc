import type { CommandOutput } from './command-output.js'

/** The wish of a person, or of the system, that a command that runs on and on should end. */
export interface Interruption extends Disposable {
  /** Aborts with the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
  /** What a shell expects of a program that was interrupted before it was ready: 130 or 143. */
  exitCode(): number
  /** Resolves with the interruption. Keeps the process alive until then. */
  wait(): Promise<void>
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/** The first SIGINT or SIGTERM asks to stop; the second one ends the process at once. */
export function listenForInterruption(output: CommandOutput): Interruption {
  const controller = new AbortController()
  const { signal } = controller
  let code = 0
  const interrupt = (name: keyof typeof exitCodes): void => {
    if (signal.aborted) process.exit(exitCodes[name])
    code = exitCodes[name]
    // Behind the ^C that the terminal shows.
    if (output.stderr.isTTY === true) output.stderr.write('\n')
    controller.abort(new Error(`Interrupted by ${name}.`))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    signal,
    exitCode: () => code,
    wait: () => untilAborted(signal),
    [Symbol.dispose]() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A signal handler does not keep Node alive; a timer does.
    const keepAlive = setInterval(() => {}, 2 ** 30)
    const end = (): void => {
      clearInterval(keepAlive)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
