import type { DiscoveredKind } from '../../client/index.js'
import type { Connection } from './connection.js'
import { InvalidArgumentsError } from './invalid-arguments.js'
import type { Manifest } from './manifests.js'

/**
 * The namespace that an object of a file belongs to; undefined where its kind has none.
 * @throws InvalidArgumentsError when the file and the command line name different ones.
 */
export function namespaceOf(
  { namespace, name }: Manifest,
  kind: DiscoveredKind,
  { connection, isNamed }: { readonly connection: Connection; readonly isNamed: boolean },
): string | undefined {
  if (kind.scope === 'Cluster') return undefined
  if (isNamed && namespace !== undefined && namespace !== connection.namespace)
    throw new InvalidArgumentsError(
      `The file has ${kind.kind} ${name} in namespace ${namespace}, and --namespace says ${connection.namespace}: leave --namespace out, or change the file.`,
    )
  return namespace ?? connection.namespace
}
