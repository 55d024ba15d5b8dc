import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Logger } from '../../observe/index.js'
import { ClusterConfigInvalidError, ClusterConfigMissingError, type ConfigProblem } from './config-errors.js'
import { type Kubeconfig, mergeKubeconfigs } from './kubeconfig.js'
import { parseKubeconfigText } from './kubeconfig-text.js'
import { parseKubeconfig } from './parse-kubeconfig.js'
import { printable } from './printable.js'
import { ConfigFileError, readTextFile } from './text-file.js'

/** The variables of an environment: `process.env`, or a part of it in a test. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The files that KUBECONFIG lists, each once; empty when the variable is unset or empty. */
export function filesFromEnvironment(env: Environment): readonly string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  return [...new Set(listed)]
}

/** `~/.kube/config`: the one place that is looked at without being named. Never the working directory. */
export function homeKubeconfig(env: Environment): string {
  return join(env['HOME'] || homedir(), '.kube', 'config')
}

/**
 * Reads and merges kubeconfigs, the first having the last word. Fails with {@link ClusterConfigInvalidError}, which
 * lists the problems of all files, and for a required file that does not exist with {@link ClusterConfigMissingError}.
 */
export async function readKubeconfigFiles(
  files: readonly string[],
  options: { readonly missing: 'refuse' | 'skip'; readonly log: Logger },
): Promise<Kubeconfig> {
  const problems: ConfigProblem[] = []
  const kubeconfigs: Kubeconfig[] = []
  const missing: string[] = []
  for (const file of files) {
    try {
      kubeconfigs.push(await readKubeconfigFile(resolve(file), problems))
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error
      if (error.reason === 'ENOENT') missing.push(printable(file))
      else problems.push({ source: printable(file), message: error.message })
    }
  }
  if (problems.length > 0) throw new ClusterConfigInvalidError(problems)
  if (missing.length > 0 && options.missing === 'refuse') throw new ClusterConfigMissingError(missing)
  // A misspelt KUBECONFIG would otherwise look like an empty one.
  if (missing.length > 0 && kubeconfigs.length === 0)
    options.log.warn('None of the kubeconfig files exists: check KUBECONFIG.', { files: missing })
  return mergeKubeconfigs(kubeconfigs)
}

async function readKubeconfigFile(file: string, problems: ConfigProblem[]): Promise<Kubeconfig> {
  const source = printable(file)
  const parsed = await parseKubeconfigText(await readTextFile(file))
  if (parsed.kind === 'document') return parseKubeconfig(parsed.document, { source, file }, problems)
  problems.push({ source, message: parsed.message })
  return mergeKubeconfigs([])
}
