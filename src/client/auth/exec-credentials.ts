import { isatty } from 'node:tty'
import type { Clock } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { CredentialSource } from '../config/cluster-config.js'
import type { Environment } from '../config/kubeconfig-files.js'
import { describeRequest, type ExecCluster, parseAnswer } from './exec-credential.js'
import { ExecPluginError } from './exec-plugin-error.js'
import { authorizeCommand, type ExecPolicy } from './exec-policy.js'
import { runExecPlugin } from './exec-process.js'
import { createRefreshingCredentials } from './refreshing-credentials.js'

/** How credential plugins are run. */
export interface ExecOptions {
  /** Which plugins may run; by default all, as in kubectl. */
  readonly policy?: ExecPolicy
  /** Longest time a plugin may take; by default five minutes, because some wait for a person at a browser. */
  readonly timeoutMs?: number
  /** Whether our standard input may be handed to a plugin; by default, whether it is a terminal. */
  readonly interactive?: boolean
}

/** Whether a plugin wants to ask questions. */
export type ExecInteractiveMode = 'Never' | 'IfAvailable' | 'Always'

/** A credential plugin with everything it needs, checked. */
export interface ExecPlugin {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly interactiveMode: ExecInteractiveMode
  readonly installHint?: string
  /** Describes the cluster, for a plugin with provideClusterInfo. */
  readonly cluster?: () => Promise<ExecCluster>
}

const defaultTimeoutMs = 5 * 60_000

/**
 * Credentials from a program that the kubeconfig names. It runs when credentials are first needed, again when they have
 * expired, and once for any number of parallel refusals. Fails with ExecPluginError.
 */
export function createExecCredentials(options: {
  readonly plugin: ExecPlugin
  readonly exec: ExecOptions
  readonly env: Environment
  readonly clock: Clock
  readonly log: Logger
}): CredentialSource {
  const { plugin, exec, env, clock, log } = options
  const { command, apiVersion } = plugin
  return createRefreshingCredentials({
    what: `credentials of plugin ${command}`,
    onFailure: 'throw',
    repeatPauseMs: 10_000,
    clock,
    log,
    async load(signal) {
      const interactive = mayAsk(plugin, exec.interactive ?? isatty(0))
      const program = await authorizeCommand({
        command,
        policy: exec.policy ?? { type: 'AllowAll' },
        env,
        ...(plugin.installHint !== undefined && { installHint: plugin.installHint }),
      })
      const cluster = await plugin.cluster?.()
      const request = describeRequest({ apiVersion, interactive, ...(cluster !== undefined && { cluster }) })
      const output = await runExecPlugin({
        program,
        args: plugin.args,
        env: {
          ...env,
          ...Object.fromEntries(plugin.env.map(({ name, value }) => [name, value])),
          KUBERNETES_EXEC_INFO: request,
        },
        interactive,
        timeoutMs: exec.timeoutMs ?? defaultTimeoutMs,
        clock,
        signal,
      })
      const answer = parseAnswer(output, apiVersion)
      if (answer.kind === 'problem')
        throw new ExecPluginError({ command, failure: 'output', detail: answer.message })
      const { credentials, expiresAtMs } = answer
      return { credentials, isFresh: () => expiresAtMs === undefined || clock.now() <= expiresAtMs }
    },
  })
}

function mayAsk(plugin: ExecPlugin, available: boolean): boolean {
  if (plugin.interactiveMode === 'Always' && !available)
    throw new ExecPluginError({
      command: plugin.command,
      failure: 'not-interactive',
      detail:
        'it wants to ask questions, and standard input is not a terminal: log in with it in a terminal first.',
    })
  return plugin.interactiveMode !== 'Never' && available
}
