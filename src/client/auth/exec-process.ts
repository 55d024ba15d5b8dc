import { type ChildProcess, spawn } from 'node:child_process'
import { abortReason, type Clock } from '../../base/index.js'
import type { Environment } from '../config/kubeconfig-files.js'
import { errorCode } from '../config/text-file.js'
import { ExecPluginError } from './exec-plugin-error.js'

/** A credential is some kilobytes. A plugin that writes more than this is broken, or is not a plugin. */
const maxOutputBytes = 1024 * 1024
/** Time to clean up between being asked to stop and being killed. */
const graceMs = 2_000

/** One run of a plugin. */
interface ExecProcessOptions {
  /** Absolute. Run as it is, without a shell. */
  readonly program: string
  readonly args: readonly string[]
  readonly env: Environment
  /** Hands our standard input to the plugin, for it to ask questions. */
  readonly interactive: boolean
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Runs a plugin to its end and returns what it wrote to standard output. Its standard error goes to ours: people read
 * it, nobody parses it. Settles only after the process has gone. Fails with {@link ExecPluginError} or the signal's reason.
 */
export function runExecPlugin(options: ExecProcessOptions): Promise<string> {
  const { program, clock, signal } = options
  const fail = (failure: 'not-started' | 'exit' | 'timeout' | 'output', detail: string): ExecPluginError =>
    new ExecPluginError({ command: program, failure, detail })

  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal))
    let child: ChildProcess
    try {
      child = spawn(program, [...options.args], {
        env: { ...options.env },
        stdio: [options.interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
        shell: false,
        windowsHide: true,
      })
    } catch (error) {
      // Node quotes the argument it dislikes; arguments may be secret.
      return reject(
        fail('not-started', `it could not be started (${errorCode(error)}): check its arguments.`),
      )
    }

    const chunks: Buffer[] = []
    let size = 0
    let stoppedFor: Error | undefined
    const stop = (reason: Error): void => {
      if (stoppedFor !== undefined) return
      stoppedFor = reason
      child.kill('SIGTERM')
      kill = clock.setTimer(graceMs, () => child.kill('SIGKILL'))
      // A grandchild may hold the pipe open long after the plugin has gone.
      child.stdout?.destroy()
    }
    const timeout = clock.setTimer(options.timeoutMs, () =>
      stop(
        fail(
          'timeout',
          `it did not finish in ${options.timeoutMs / 1000} s: run it by hand to see what it waits for.`,
        ),
      ),
    )
    let kill = timeout
    const onAbort = (): void => stop(abortReason(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    const settle = (outcome: () => void): void => {
      timeout.cancel()
      kill.cancel()
      signal.removeEventListener('abort', onAbort)
      outcome()
    }

    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxOutputBytes) chunks.push(chunk)
      else stop(fail('output', 'it wrote more than 1 MiB: check that it is a credential plugin.'))
    })
    child.on('error', (error) => {
      // Also emitted when a signal cannot be delivered; then the process is still there, and `close` will come.
      if (child.pid !== undefined) return
      settle(() =>
        reject(fail('not-started', `it could not be started (${errorCode(error)}): check the file.`)),
      )
    })
    child.on('close', (code, killedBy) =>
      settle(() => {
        if (stoppedFor !== undefined) return reject(stoppedFor)
        if (code === 0) return resolve(Buffer.concat(chunks).toString('utf8'))
        const how = code === null ? `was ended by ${killedBy}` : `failed with exit code ${code}`
        reject(fail('exit', `it ${how}: see its own messages on standard error, or run it by hand.`))
      }),
    )
  })
}
