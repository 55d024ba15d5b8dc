import { isPlainObject, KubewrightError, toError } from '../../base/index.js'
import type { JsonPatchOperation } from '../../client/index.js'
import { isApiError, resourceNameOf } from '../../objects/index.js'
import type { CommandOutput } from '../command-output.js'
import { parseDocuments } from '../parse-documents.js'
import { type ClusterFlags, connect } from './connection.js'
import { InvalidArgumentsError } from './invalid-arguments.js'
import { resolveObject } from './resource-arguments.js'
import { kindPrefix } from './table-printer.js'

export type PatchType = 'json' | 'merge' | 'strategic'

export interface PatchCommand extends ClusterFlags {
  /** In JSON or YAML. */
  readonly patch: string
  readonly type?: PatchType
}

/** The text of a patch is none. */
class PatchTextError extends KubewrightError {
  constructor(problem: string, cause?: unknown) {
    super(`The patch ${problem}.`, { code: 'KW_PATCH_TEXT', cause })
  }
}

/** `kubewright patch`: changes some fields of one object. Resolves to the exit code. */
export async function runPatch(
  args: readonly string[],
  command: PatchCommand,
  output: CommandOutput = process,
): Promise<number> {
  const { type = 'strategic' } = command
  const patch = readPatch(command.patch, type)
  using connection = await connect(command, output)
  const { client, namespace } = connection
  const { kind, name } = await resolveObject(connection.discovery, args)
  const key = { name, ...(kind.scope === 'Namespaced' && { namespace }) }
  const before = await client.get(kind, key, { metadataOnly: true })
  const after = await client
    .patch(kind, key, patch, { fieldManager: 'kubewright-patch' })
    .catch((error: unknown) => {
      throw type === 'strategic' && isApiError(error) && error.httpStatus === 415
        ? new InvalidArgumentsError(
            `${resourceNameOf(kind)} take no strategic merge patch, as only built-in kinds do: add --type=merge.`,
          )
        : error
    })
  const isSame = before.metadata.resourceVersion === after.metadata.resourceVersion
  output.stdout.write(`${kindPrefix(kind)}/${name} patched${isSame ? ' (no change)' : ''}\n`)
  return 0
}

type ReadPatch =
  | { readonly merge: object }
  | { readonly strategic: object }
  | { readonly json: JsonPatchOperation[] }

/** Reads the text of a patch. Whether its steps make sense, the server says. */
export function readPatch(text: string, type: PatchType): ReadPatch {
  const value = readOne(text)
  if (type === 'json') {
    if (!Array.isArray(value) || !value.every(isPlainObject))
      throw new PatchTextError(
        'must be a list of steps, as [{"op":"replace","path":"/spec/replicas","value":3}]',
      )
    // The server judges the steps; here they are only passed on.
    return { json: value as unknown as JsonPatchOperation[] }
  }
  if (!isPlainObject(value)) throw new PatchTextError('must be an object, as {"spec":{"replicas":3}}')
  return type === 'merge' ? { merge: value } : { strategic: value }
}

function readOne(text: string): unknown {
  let documents: unknown[]
  try {
    documents = parseDocuments(text)
  } catch (error) {
    const problem = `is neither JSON nor YAML (${toError(error).message.trim()}): look at its quotes`
    throw new PatchTextError(problem, error)
  }
  if (documents.length > 1) throw new PatchTextError('must be one document')
  return documents[0]
}
