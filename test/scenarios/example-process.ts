import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

/** An example of this repository, run as its README says, as a process of its own. */
export interface ExampleProcess extends AsyncDisposable {
  /** Everything it has printed so far. */
  readonly output: string
  /** Resolves when it has printed the text; rejects when it ends first. */
  printed(text: string | RegExp): Promise<void>
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
}

export function runExample(name: string, flags: readonly string[]): ExampleProcess {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=kubewright-source', '--import', 'tsx', resolve('examples', name, 'main.ts'), ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  let listeners: (() => void)[] = []
  const onOutput = (chunk: Buffer): void => {
    output += chunk.toString()
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', onOutput)
  child.stderr?.on('data', onOutput)
  const ended = once(child, 'close')
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
    return child.exitCode
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
        void ended.then(() =>
          reject(new Error(`The example ended before it printed ${String(text)}:\n${output}`)),
        )
        check()
      }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
