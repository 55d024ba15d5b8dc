// `npm start`: an API server in this process and the Foo operator on it, to play with. Needs nothing but Node, and runs
// until Ctrl-C.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, CommanderError } from 'commander'
import {
  type Client,
  createClient,
  createLogger,
  describeCause,
  installKinds,
  isKubewrightError,
  loadClusterConfig,
  type RunRecord,
} from 'kubewright'
import { createDiscovery } from 'kubewright/client'
import { assembleOperator } from 'kubewright/operator'
import { operator } from '../examples/foo/operator.js'
import { errorLine } from '../src/cli/error-line.js'
import { listenForInterruption } from '../src/cli/interruption.js'
import { introduce } from '../src/cli/introduction.js'
import { readManifests } from '../src/cli/resources/manifests.js'
import { serveApi } from '../src/cli/serve-api.js'
import { portNumber } from '../src/cli/server-commands.js'
import { cloneCommand, isOnPath } from '../src/cli/shell.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const sample = 'examples/foo/config/sample/foo.yaml'

interface Flags {
  readonly dataDir?: string
  readonly port?: number
}

function readFlags(): Flags {
  return new Command('npm start --')
    .description('Run the Foo operator on an embedded API server.')
    .option('--data-dir <folder>', 'keep objects and keys here, for the next run')
    .option('--port <port>', 'port; that of the last run with --data-dir, else a free one', portNumber)
    .showHelpAfterError('(add --help for the options)')
    .allowExcessArguments(false)
    .exitOverride()
    .parse()
    .opts<Flags>()
}

async function start(flags: Flags): Promise<number> {
  using interruption = listenForInterruption(process)
  const { signal } = interruption
  try {
    await run(flags, signal)
    return 0
  } catch (error) {
    if (signal.aborted && error === signal.reason) return interruption.exitCode()
    throw error
  }
}

async function run(flags: Flags, signal: AbortSignal): Promise<void> {
  const log = createLogger({ format: 'human', level: 'warn' })
  await using api = await serveApi({ ...flags, server: { log } })
  const transport = api.server.transport()
  const client = createClient({ transport, namespace: 'default' })
  signal.throwIfAborted()
  await installKinds(client, operator.kinds, { signal })

  const kubectl = (await isOnPath('kubectl')) ? 'kubectl' : cloneCommand
  const ending = flags.dataDir === undefined ? '' : ` What is there stays in ${flags.dataDir}.`
  console.log(
    introduce({
      kubeconfig: api.kubeconfig,
      commands: [
        `${kubectl} get foo,deployment`,
        `${kubectl} patch foo foo-sample --type=merge -p '{"spec":{"replicas":3}}'`,
        `${kubectl} delete deployment foo-sample     # and see it come back`,
      ],
      ending: `Ctrl-C stops everything.${ending} Until then, what happens to the Foo:`,
    }),
  )
  const config = await loadClusterConfig({ path: api.kubeconfig })
  const assembled = await assembleOperator(operator, { config, transport, log, onRun: printRun })
  const running = assembled.run(signal)
  running.catch(() => {})

  await applySample(client)
  await running
}

async function applySample(client: Client): Promise<void> {
  const discovery = createDiscovery(client)
  for (const { object, name } of await readManifests([join(root, sample)])) {
    const kind = await discovery.kindFor(object)
    const { items } = await client.list(kind, { fieldSelector: `metadata.name=${name}` })
    if (items.length > 0) {
      console.log(`${object.kind} ${name} is there from an earlier run`)
    } else {
      console.log(`Applying ${sample}`)
      await client.create(kind, object, { fieldManager: 'kubewright' })
    }
  }
}

function printRun({ key, result, durationMs, causes, error }: RunRecord): void {
  const why = causes.map(describeCause).join('; ')
  const problem = error === undefined ? '' : ` (${error.message})`
  console.log(`Foo ${key} ${result}${problem} in ${durationMs.toFixed(0)} ms, because: ${why}`)
}

try {
  process.exitCode = await start(readFlags())
} catch (error) {
  process.exitCode = 1
  if (isKubewrightError(error)) process.stderr.write(errorLine(error))
  else if (error instanceof CommanderError) process.exitCode = error.exitCode
  else throw error
}
