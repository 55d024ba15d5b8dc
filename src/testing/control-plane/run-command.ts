import { spawn } from 'node:child_process'
import { abortReason, type Clock, KubewrightError, systemClock, type Timer } from '../../base/index.js'
import type { Environment } from '../../client/index.js'

/** How a program ended and what it said. */
export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  /** Absent when a signal ended the program. */
  readonly exitCode: number | undefined
}

export interface CommandOptions {
  readonly cwd?: string
  /** All variables of the program; absent: those of this process. */
  readonly env?: Environment
  /** What the program reads from its standard input; absent: nothing. */
  readonly input?: string
  /** Ends the program; the call then rejects once it has really ended. */
  readonly signal?: AbortSignal
  /** The signal that asks this program to end. Default: SIGTERM. */
  readonly endWith?: NodeJS.Signals
  /** Called with each piece of standard error as it comes. */
  readonly onStderr?: (text: string) => void
  readonly clock?: Clock
}

/** The program could not be started: not there, or not executable. */
export class CommandNotStartedError extends KubewrightError {
  readonly command: string

  constructor(command: string, cause: unknown) {
    super(`${command} could not be started. Check that it is installed and executable, and try again.`, {
      code: 'KW_COMMAND_NOT_STARTED',
      cause,
    })
    this.command = command
  }
}

// A program that ignores the polite signal gets the other one.
const patienceMs = 5_000

/** Runs a program to its end. A non-zero exit is a result, not an error. Nothing is passed through a shell. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { signal, clock = systemClock } = options
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortReason(signal))
    const child = spawn(command, args, { cwd: options.cwd, env: options.env, windowsHide: true })
    let killTimer: Timer | undefined
    const end = (): void => {
      child.kill(options.endWith ?? 'SIGTERM')
      killTimer = clock.setTimer(patienceMs, () => child.kill('SIGKILL'))
    }
    signal?.addEventListener('abort', end, { once: true })
    const settle = (): void => {
      killTimer?.cancel()
      signal?.removeEventListener('abort', end)
    }

    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text
      options.onStderr?.(text)
    })
    // A program may end before it has read its input: that shows in how it ended.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')

    child.once('error', (error) => {
      settle()
      reject(new CommandNotStartedError(command, error))
    })
    child.once('close', (code) => {
      settle()
      if (signal?.aborted === true) reject(abortReason(signal))
      else resolve({ ...output, exitCode: code ?? undefined })
    })
  })
}
