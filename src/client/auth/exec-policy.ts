import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename, delimiter, extname, isAbsolute, join, normalize, sep } from 'node:path'
import type { Environment } from '../config/kubeconfig-files.js'
import { printable } from '../config/printable.js'
import { ExecPluginError } from './exec-plugin-error.js'

/**
 * Which credential plugins may run. A kubeconfig can name any program, so a process that reads kubeconfigs of others
 * should deny all or list what it expects. The commands of a list are bare names, found through PATH, or absolute paths.
 */
export type ExecPolicy =
  | { readonly type: 'AllowAll' }
  | { readonly type: 'DenyAll' }
  | { readonly type: 'Allowlist'; readonly commands: readonly string[] }

/** What is wrong with a policy, in words. It guards security, so a mistake in it is never passed over. */
export function execPolicyProblem(policy: ExecPolicy): string | undefined {
  if (policy.type !== 'Allowlist') return undefined
  if (policy.commands.length === 0) return 'the allowlist is empty: use DenyAll to allow nothing'
  const bad = policy.commands.find((command) => command === '' || normalize(command) !== command)
  if (bad === undefined) return undefined
  return `the allowlist entry ${printable(JSON.stringify(bad))} is not a plain name or path: write it without . and ..`
}

/**
 * The absolute path of the program to run, if the policy allows it. What was checked is what runs: the path is looked up
 * once, here. Fails with {@link ExecPluginError}.
 */
export async function authorizeCommand(options: {
  readonly command: string
  readonly policy: ExecPolicy
  readonly env: Environment
  readonly installHint?: string
}): Promise<string> {
  const { policy, env, installHint } = options
  const command = normalize(options.command)
  if (policy.type === 'DenyAll')
    throw new ExecPluginError({
      command,
      failure: 'denied',
      detail: 'credential plugins are switched off: allow it in the exec policy, or use other credentials.',
    })

  const program = await lookUp(command, env)
  if (program === undefined)
    throw new ExecPluginError({
      command,
      failure: 'not-found',
      detail: `it is not installed, or not executable: install it, or put it into PATH.${hint(installHint)}`,
    })

  if (policy.type === 'Allowlist' && !(await isListed({ command, program, env, commands: policy.commands })))
    throw new ExecPluginError({
      command,
      failure: 'denied',
      detail: 'it is not on the allowlist: add it to the exec policy if you trust it.',
    })
  return program
}

async function isListed(options: {
  readonly command: string
  readonly program: string
  readonly env: Environment
  readonly commands: readonly string[]
}): Promise<boolean> {
  const { command, program, env, commands } = options
  if (commands.includes(command) || commands.includes(program)) return true
  for (const listed of commands) {
    if (basename(listed) === basename(program) && (await lookUp(listed, env)) === program) return true
  }
  return false
}

function hint(installHint: string | undefined): string {
  if (installHint === undefined) return ''
  return `\n${installHint.split(/\r?\n/).map(printable).join('\n')}`
}

/** Finds a program as a shell does, except that PATH entries which depend on the working directory do not count. */
async function lookUp(command: string, env: Environment): Promise<string | undefined> {
  if (command.includes(sep)) return (await isExecutable(command)) ? command : undefined
  const directories = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute)
  const extensions =
    process.platform === 'win32' && extname(command) === ''
      ? (env['PATHEXT'] ?? '.COM;.EXE').split(';')
      : ['']
  for (const directory of directories) {
    for (const extension of extensions) {
      const candidate = join(directory, command + extension)
      if (await isExecutable(candidate)) return candidate
    }
  }
  return undefined
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
