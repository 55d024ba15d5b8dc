import type { SelectionParameters } from '../../objects/index.js'
import type { ClusterFlags, Connection } from './connection.js'
import type { Failures } from './failures.js'
import type { ObjectFormat } from './object-text.js'
import type { ResourceTarget } from './resource-arguments.js'

export type OutputFormat = 'table' | 'wide' | 'name' | ObjectFormat

/** The flags of `kubewright get`. */
export interface GetCommand extends ClusterFlags {
  readonly allNamespaces?: boolean
  readonly output?: OutputFormat
  readonly watch?: boolean
  /** By label. */
  readonly selector?: string
  readonly fieldSelector?: string
  readonly showManagedFields?: boolean
}

/** What is to be printed, and how. */
export interface GetQuery {
  readonly connection: Connection
  readonly command: GetCommand
  readonly targets: readonly ResourceTarget[]
  readonly failures: Failures
}

/** Where to look for a target, and for which objects. */
export function selectionOf(
  { connection, command }: GetQuery,
  { kind, name }: ResourceTarget,
): SelectionParameters & { readonly namespace: string | undefined } {
  const isEverywhere = kind.scope === 'Cluster' || command.allNamespaces === true
  return {
    namespace: isEverywhere ? undefined : connection.namespace,
    labelSelector: command.selector,
    // Lists and watches have no names; this is how they are about one object.
    fieldSelector: name === undefined ? command.fieldSelector : `metadata.name=${name}`,
  }
}
