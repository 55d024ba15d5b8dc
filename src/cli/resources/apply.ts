import { isPlainObject, KubewrightError, sleep, systemClock } from '../../base/index.js'
import { type DiscoveredKind, KindNotFoundError } from '../../client/index.js'
import { type ApiError, isApplyConflict, isNotFound, parseApiVersion } from '../../objects/index.js'
import type { CommandOutput } from '../command-output.js'
import { type ClusterFlags, type Connection, connect } from './connection.js'
import { tellFailures } from './failures.js'
import { namespaceOf } from './manifest-namespace.js'
import { type Manifest, readManifests } from './manifests.js'
import { kindPrefix } from './table-printer.js'

export interface ApplyCommand extends ClusterFlags {
  readonly filename: readonly string[]
  readonly fieldManager?: string
  readonly forceConflicts?: boolean
  /** Let the server check everything and change nothing. */
  readonly dryRun?: string
}

/** Others own fields that were applied. */
class ApplyConflictError extends KubewrightError {
  constructor(error: ApiError) {
    super(
      `${error.request}: ${error.status.message ?? 'others own some of its fields'}. Leave these fields out of the file, or take them over with --force-conflicts.`,
      { code: 'KW_APPLY_CONFLICT', cause: error },
    )
  }
}

/** `kubewright apply`: server-side apply of what is in files. Resolves to the exit code. */
export async function runApply(command: ApplyCommand, output: CommandOutput = process): Promise<number> {
  using connection = await connect(command, output)
  const manifests = await readManifests(command.filename)
  const failures = tellFailures(output)
  const newKinds = new Set(manifests.flatMap(kindDefinedBy))
  for (const manifest of manifests) {
    await failures.attempt(async () => {
      const kind = await findKind(connection, manifest, newKinds)
      const result = await apply(connection, { manifest, kind, command })
      const suffix = command.dryRun === undefined ? '' : ' (server dry run)'
      output.stdout.write(`${kindPrefix(kind)}/${manifest.name} ${result}${suffix}\n`)
    })
  }
  return failures.exitCode()
}

interface Application {
  readonly manifest: Manifest
  readonly kind: DiscoveredKind
  readonly command: ApplyCommand
}

async function apply(
  connection: Connection,
  { manifest, kind, command }: Application,
): Promise<'created' | 'configured' | 'unchanged'> {
  const { client } = connection
  const namespace = namespaceOf(manifest, kind, { connection, isNamed: command.namespace !== undefined })
  const { object, name } = manifest
  const key = { name, ...(namespace !== undefined && { namespace }) }
  const before = await client.get(kind, key, { metadataOnly: true }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  try {
    const after = await client.apply(
      kind,
      { ...object, metadata: { ...object.metadata, ...key } },
      {
        fieldManager: command.fieldManager ?? 'kubewright',
        fieldValidation: 'Strict',
        force: command.forceConflicts,
        dryRun: command.dryRun !== undefined,
      },
    )
    if (before === undefined) return 'created'
    return before.metadata.resourceVersion === after.metadata.resourceVersion ? 'unchanged' : 'configured'
  } catch (error) {
    throw isApplyConflict(error) ? new ApplyConflictError(error) : error
  }
}

/** The group and kind that a CustomResourceDefinition among the files brings. */
function kindDefinedBy({ object }: Manifest): string[] {
  const { kind, apiVersion, spec } = object
  if (kind !== 'CustomResourceDefinition' || parseApiVersion(apiVersion).group !== 'apiextensions.k8s.io')
    return []
  const { group, names } = isPlainObject(spec) ? spec : {}
  return isPlainObject(names) ? [`${String(names['kind'])}.${String(group)}`] : []
}

const newKindTries = 50
const newKindPauseMs = 200

/** A kind whose definition was applied a moment ago is served a moment later. */
async function findKind(
  { discovery }: Connection,
  { object }: Manifest,
  newKinds: ReadonlySet<string>,
): Promise<DiscoveredKind> {
  const isNew = newKinds.has(`${object.kind}.${parseApiVersion(object.apiVersion).group}`)
  for (let tries = 1; ; tries++) {
    try {
      return await discovery.kindFor(object)
    } catch (error) {
      if (!(isNew && error instanceof KindNotFoundError && tries < newKindTries)) throw error
    }
    await sleep(systemClock, newKindPauseMs)
  }
}
