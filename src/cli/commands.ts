import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { isKubewrightError } from '../base/index.js'
import { errorLine } from './error-line.js'
import { addResourceCommands, inOwnStyle } from './resource-commands.js'
import { addServerCommands } from './server-commands.js'

/** Runs the command line; resolves to the exit code. Errors of users are one sentence, never a stack. */
export async function main(args: readonly string[]): Promise<number> {
  let code = 0
  const program = commandLine((result) => {
    code = result
  })
  try {
    await program.parseAsync(args.map(inOwnStyle), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    if (isKubewrightError(error)) {
      process.stderr.write(errorLine(error))
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
  const version = readVersion()
  const program = new Command('kubewright')
    .description('Write Kubernetes operators in TypeScript.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()

  addServerCommands(program, exitWith)
  addResourceCommands(program, exitWith)
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

  program
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${version}\n`))

  return program
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : ''
}
