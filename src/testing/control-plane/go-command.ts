import { type Clock, isPlainObject } from '../../base/index.js'
import type { Environment } from '../../client/index.js'
import type { Component, Platform } from './component.js'
import { GoBuildFailedError, GoMissingError, GoModulesUnreachableError, GoTooOldError } from './go-errors.js'
import { CommandNotStartedError, type CommandResult, runCommand } from './run-command.js'

export interface GoOptions {
  readonly env: Environment
  readonly platform: Platform
  readonly clock: Clock
  readonly signal?: AbortSignal
}

interface GoRun {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Called every few seconds with the last line that Go wrote. */
  readonly onAlive?: (detail: string | undefined) => void
}

/** The `go` command of this machine. */
export interface Go {
  /** `1.26.8`. */
  readonly version: string
  /** Go may fetch a newer Go by itself. */
  readonly mayFetchNewer: boolean
  run(args: readonly string[], run: GoRun): Promise<CommandResult>
  /** The error for a run that failed while it built the component. */
  explain(component: Component, result: CommandResult): Error
}

const aliveEveryMs = 5_000

/** Finds Go. Throws GoMissingError, which repeats why the other sources were passed over. */
export async function findGo(options: GoOptions, passedOver: readonly string[]): Promise<Go> {
  const { clock } = options
  const command = {
    // Go takes an interrupt as the request to stop its compilers and tidy up.
    endWith: 'SIGINT' as const,
    clock,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }
  const env = goEnvironment(options)

  async function run(args: readonly string[], { cwd, env: extra, onAlive }: GoRun): Promise<CommandResult> {
    let detail: string | undefined
    // The linker says nothing for minutes: somebody has to show that time passes.
    let timer = clock.setTimer(aliveEveryMs, tick)
    function tick(): void {
      onAlive?.(detail)
      timer = clock.setTimer(aliveEveryMs, tick)
    }
    const onStderr = (text: string): void => {
      detail = text.trim().split('\n').at(-1)
    }
    try {
      return await runCommand('go', args, { ...command, env: { ...env, ...extra }, cwd, onStderr })
    } finally {
      timer.cancel()
    }
  }

  try {
    const { stdout } = await runCommand('go', ['env', '-json', 'GOVERSION', 'GOTOOLCHAIN'], {
      ...command,
      env,
    })
    const parsed: unknown = JSON.parse(stdout)
    const { GOVERSION, GOTOOLCHAIN } = isPlainObject(parsed) ? parsed : {}
    const version = String(GOVERSION).replace(/^go/, '')
    const mayFetchNewer = String(GOTOOLCHAIN).includes('auto')
    return {
      version,
      mayFetchNewer,
      run,
      explain: (component, result) => explain(component, result, version),
    }
  } catch (error) {
    if (error instanceof CommandNotStartedError || error instanceof SyntaxError)
      throw new GoMissingError(passedOver, error)
    throw error
  }
}

/** The user's settings of proxies and caches, without those that would build something else. */
function goEnvironment({ env, platform }: GoOptions): Environment {
  return {
    ...env,
    GOOS: platform.os,
    GOARCH: platform.arch,
    // Static: any libc will do.
    CGO_ENABLED: '0',
    GOFLAGS: '',
    GOWORK: 'off',
    GO111MODULE: 'on',
  }
}

// Go has no code for it: its words are all there is.
const unreachable =
  /dial tcp|no such host|connection refused|connection reset|i\/o timeout|TLS handshake|proxyconnect|x509:|: (40[37]|50[0234]) |module lookup disabled|unexpected EOF/

function explain(component: Component, result: CommandResult, installed: string): Error {
  const output = `${result.stderr}\n${result.stdout}`.trim().split('\n').slice(-20).join('\n')
  const required = /requires go >= (\d+\.\d+(?:\.\d+)?)/.exec(output)?.[1]
  if (required !== undefined) return new GoTooOldError({ installed, required })
  if (unreachable.test(output)) return new GoModulesUnreachableError(output)
  return new GoBuildFailedError(component, output)
}
