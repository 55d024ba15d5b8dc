import { type Command, Option } from 'commander'

const kinds = 'kinds, or kinds and names: foo  foo,pods  foo my-foo  foo/my-foo'

/** Adds the commands that read and write objects, in the words of kubectl as far as they go. */
export function addResourceCommands(program: Command, exitWith: (code: number) => void): void {
  toCluster(
    program
      .command('get')
      .description('print objects')
      .argument('<resources...>', kinds)
      .option('-A, --all-namespaces', 'in all namespaces')
      .addOption(
        new Option('-o, --output <format>', 'how')
          .choices(['table', 'wide', 'yaml', 'json', 'name'])
          .default('table'),
      )
      .option('-w, --watch', 'then print what changes, until Ctrl-C')
      .option('-l, --selector <labels>', 'only those with these labels: a=b,c!=d')
      .option('--field-selector <fields>', 'only those with these fields: metadata.name=a')
      .option('--show-managed-fields', 'with metadata.managedFields, in yaml and json'),
  ).action(async (resources: string[], options) => {
    const { runGet } = await import('./resources/get.js')
    exitWith(await runGet(resources, options))
  })

  toCluster(
    program
      .command('apply')
      .description('create or change objects so that they have the fields in files (server-side apply)')
      .requiredOption(
        '-f, --filename <path>',
        'file or folder with YAML or JSON, - for standard input',
        collect,
      )
      .option('--server-side', 'what it always does')
      .option('--field-manager <name>', 'who owns the fields', 'kubewright')
      .option('--force-conflicts', 'take over fields that others own')
      .addOption(
        new Option('--dry-run [where]', 'let the server check everything and change nothing')
          .choices(['server'])
          .preset('server'),
      ),
  ).action(async (options) => {
    const { runApply } = await import('./resources/apply.js')
    exitWith(await runApply(options))
  })

  toCluster(
    program
      .command('patch')
      .description('change fields of an object')
      .argument('<object...>', 'foo my-foo, or foo/my-foo')
      .requiredOption('-p, --patch <text>', 'the change, in JSON or YAML')
      .addOption(
        new Option('--type <type>', 'of the change; custom resources take no strategic one')
          .choices(['strategic', 'merge', 'json'])
          .default('strategic'),
      ),
  ).action(async (object: string[], options) => {
    const { runPatch } = await import('./resources/patch.js')
    exitWith(await runPatch(object, options))
  })

  toCluster(
    program
      .command('delete')
      .description('delete objects')
      .argument('[objects...]', 'foo my-foo your-foo, or foo/my-foo pod/web')
      .option('-f, --filename <path>', 'the objects in this file or folder, - for standard input', collect)
      .addOption(
        new Option('--cascade <how>', 'what happens to the objects that they own')
          .choices(['background', 'foreground', 'orphan'])
          .default('background'),
      )
      .option('--wait', 'until they are gone (default)')
      .option('--no-wait', 'do not wait until they are gone')
      .option('--ignore-not-found', 'what is not there is no error'),
  ).action(async (objects: string[], options) => {
    const { runDelete } = await import('./resources/delete.js')
    exitWith(await runDelete(objects, options))
  })

  toCluster(
    program
      .command('events')
      .description('print events, oldest first')
      .option('-A, --all-namespaces', 'in all namespaces')
      .option('--for <object>', 'only those about this object: foo/my-foo')
      .option('-w, --watch', 'then print new ones, until Ctrl-C'),
  ).action(async (options) => {
    const { runEvents } = await import('./resources/events.js')
    exitWith(await runEvents(options))
  })
}

function toCluster(command: Command): Command {
  return command
    .option('-n, --namespace <name>', "of the objects; the context's by default")
    .option('--kubeconfig <path>', 'file; else KUBECONFIG, else ~/.kube/config')
    .option('--context <name>', 'of the kubeconfig')
}

function collect(path: string, paths: readonly string[] = []): string[] {
  return [...paths, path]
}

/** kubectl's spelling of a switch that is off: `--wait=false`. */
export function inOwnStyle(arg: string): string {
  if (arg === '--wait=false') return '--no-wait'
  return arg === '--wait=true' ? '--wait' : arg
}
