import { type DiscoveredKind, type DynamicObject, deleted, waitFor } from '../../client/index.js'
import { isNotFound, resourceNameOf } from '../../objects/index.js'
import type { CommandOutput } from '../command-output.js'
import { type ClusterFlags, type Connection, connect } from './connection.js'
import { tellFailures } from './failures.js'
import { InvalidArgumentsError } from './invalid-arguments.js'
import { namespaceOf } from './manifest-namespace.js'
import { readManifests } from './manifests.js'
import { resolveTargets } from './resource-arguments.js'
import { kindPrefix } from './table-printer.js'

export type Cascade = 'background' | 'foreground' | 'orphan'

export interface DeleteCommand extends ClusterFlags {
  readonly filename?: readonly string[]
  readonly cascade?: Cascade
  /** Unless false: until the objects are gone. */
  readonly wait?: boolean
  readonly ignoreNotFound?: boolean
}

interface Doomed {
  readonly kind: DiscoveredKind
  readonly name: string
  readonly namespace: string | undefined
}

const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const

// As long as kubectl waits.
const waitMs = 7 * 24 * 60 * 60 * 1000

/** `kubewright delete`: deletes objects by name or by file. Resolves to the exit code. */
export async function runDelete(
  args: readonly string[],
  command: DeleteCommand,
  output: CommandOutput = process,
): Promise<number> {
  using connection = await connect(command, output)
  const { client } = connection
  const failures = tellFailures(output)
  const leaving: (Doomed & { readonly object: DynamicObject })[] = []
  for (const doomed of await doomedBy(connection, args, command)) {
    await failures.attempt(async () => {
      const { kind, name, namespace } = doomed
      const options = { propagationPolicy: policies[command.cascade ?? 'background'] }
      try {
        const object = await client.delete(kind, keyOf(doomed), options)
        const place = namespace === undefined ? '' : ` from ${namespace} namespace`
        output.stdout.write(`${kindPrefix(kind)} "${name}" deleted${place}\n`)
        if (object !== undefined) leaving.push({ ...doomed, object })
      } catch (error) {
        if (!(command.ignoreNotFound === true && isNotFound(error))) throw error
      }
    })
  }
  if (command.wait === false) return failures.exitCode()
  for (const doomed of leaving) {
    const { uid } = doomed.object.metadata
    await failures.attempt(async () => {
      await waitFor(client, doomed.kind, keyOf(doomed), { until: deleted({ uid }), timeoutMs: waitMs })
    })
  }
  return failures.exitCode()
}

function keyOf({ name, namespace }: Doomed): { readonly name: string; readonly namespace?: string } {
  return { name, ...(namespace !== undefined && { namespace }) }
}

/** Everything is looked up before anything is deleted. */
async function doomedBy(
  connection: Connection,
  args: readonly string[],
  command: DeleteCommand,
): Promise<Doomed[]> {
  const { filename = [] } = command
  if (filename.length > 0 === args.length > 0)
    throw new InvalidArgumentsError('Name either objects, as in `pod web`, or files with --filename.')
  const { discovery } = connection
  if (filename.length > 0) {
    const manifests = await readManifests(filename)
    return Promise.all(
      manifests.map(async (manifest) => {
        const kind = await discovery.kindFor(manifest.object)
        const isNamed = command.namespace !== undefined
        return { kind, name: manifest.name, namespace: namespaceOf(manifest, kind, { connection, isNamed }) }
      }),
    )
  }
  const targets = await resolveTargets(discovery, args)
  return targets.map(({ kind, name }) => {
    if (name === undefined)
      throw new InvalidArgumentsError(
        `No name was given: write which of the ${resourceNameOf(kind)} shall be deleted.`,
      )
    return { kind, name, namespace: kind.scope === 'Namespaced' ? connection.namespace : undefined }
  })
}
