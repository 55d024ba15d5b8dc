import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { isKubewrightError } from '../base/index.js'

/** Runs the command line; resolves to the exit code. Errors of users are one sentence, never a stack. */
export async function main(args: readonly string[]): Promise<number> {
  let code = 0
  const program = commandLine((result) => {
    code = result
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    if (isKubewrightError(error)) {
      process.stderr.write(`Error: ${error.message} (${error.code})\n`)
      return 1
    }
    // Everything else is a bug, and its stack is what a report needs.
    process.stderr.write(
      `Unexpected error. Please report it with this text:\n${String((error as Error)?.stack ?? error)}\n`,
    )
    return 1
  }
}

/** Each command loads what it needs when it runs: `--help` loads nothing. */
function commandLine(exitWith: (code: number) => void): Command {
  const program = new Command('kubewright')
    .description('Write Kubernetes operators in TypeScript.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()

  const controlPlane = program
    .command('control-plane')
    .description('run a real control plane (etcd and kube-apiserver) on this machine, for tests')
    .option('--nodes <count>', 'simulated nodes, on which pods become ready', wholeNumber)
    .option('--controller-manager', 'run kube-controller-manager')
    .option('--scheduler', 'run kube-scheduler')
    .option('--kubeconfig <path>', 'write the kubeconfig to this file')
    .option('--port <port>', 'port of the API server; a free one by default', wholeNumber)
    .option('--kubernetes-version <version>', 'of Kubernetes')
    .action(async ({ kubernetesVersion: version, ...options }) => {
      const { runControlPlane } = await import('./control-plane.js')
      exitWith(await runControlPlane({ ...options, ...(version !== undefined && { version }) }))
    })
  controlPlane
    .command('assets')
    .description('get the binaries and print where they are')
    .action(async () => {
      const { runControlPlane } = await import('./control-plane.js')
      const { kubernetesVersion: version } = controlPlane.opts()
      exitWith(await runControlPlane({ assetsOnly: true, ...(version !== undefined && { version }) }))
    })

  program
    .command('import')
    .description('write types and kinds for the CRDs of others')
    .argument(
      '[sources...]',
      'files with CRDs; with --from-cluster, names such as certificates.cert-manager.io',
    )
    .requiredOption('--out <folder>', 'where the files go: <folder>/<group>/<version>.ts')
    .option('--from-cluster', 'read the CRDs of a cluster')
    .option('--kubeconfig <path>', 'with --from-cluster')
    .option('--context <name>', 'with --from-cluster')
    .option('--force', 'overwrite files that were not generated')
    .action(async (sources: string[], options) => {
      const { importCommand } = await import('./import-command.js')
      exitWith(await importCommand(sources, options))
    })

  return program
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Give a whole number.')
  return value
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : ''
}
