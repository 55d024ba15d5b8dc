import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

/** A program of this repository as a process of its own. */
export interface ProgramProcess extends AsyncDisposable {
  /** Everything it has printed so far. */
  readonly output: string
  /** Resolves when it has printed the text; rejects when it ends first. */
  printed(text: string | RegExp): Promise<void>
  /** Sends a signal, SIGTERM unless said otherwise; resolves to the exit code, null after a signal that it did not heed. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Resolves when it has ended by itself. */
  ended(): Promise<number | null>
}

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv
  /** For its standard input. */
  readonly input?: string
}

export function runProgram(
  file: string,
  flags: readonly string[],
  { env = process.env, input }: ProgramOptions = {},
): ProgramProcess {
  const child: ChildProcess = spawn(process.execPath, [resolve('scripts/run.mjs'), file, ...flags], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  })
  child.stdin?.end(input)
  let output = ''
  let listeners: (() => void)[] = []
  const onOutput = (chunk: Buffer): void => {
    output += chunk.toString()
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', onOutput)
  child.stderr?.on('data', onOutput)
  const closed = once(child, 'close')
  const ended = async (): Promise<number | null> => {
    await closed
    return child.exitCode
  }
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended()
  }
  return {
    get output() {
      return output
    },
    printed: (text) =>
      new Promise((resolvePrinted, reject) => {
        const check = (): void => {
          if (typeof text === 'string' ? output.includes(text) : text.test(output)) {
            listeners = listeners.filter((listener) => listener !== check)
            resolvePrinted()
          }
        }
        listeners.push(check)
        void closed.then(() =>
          reject(new Error(`${file} ended before it printed ${String(text)}:\n${output}`)),
        )
        check()
      }),
    stop,
    ended,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
