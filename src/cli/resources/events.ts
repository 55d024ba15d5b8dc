import { isPlainObject, parseUtcTime } from '../../base/index.js'
import { apiVersionOf } from '../../objects/index.js'
import type { CommandOutput } from '../command-output.js'
import { type ClusterFlags, type Connection, connect } from './connection.js'
import { InvalidArgumentsError } from './invalid-arguments.js'
import { getTable, type TableSelection, watchTable } from './read-tables.js'
import { resolveObject } from './resource-arguments.js'
import type { TableRow } from './server-table.js'
import { TablePrinter } from './table-printer.js'

export interface EventsCommand extends ClusterFlags {
  readonly allNamespaces?: boolean
  /** Only those about this object: kind/name. */
  readonly for?: string
  readonly watch?: boolean
}

/** `kubewright events`: what was told about objects, oldest first. Resolves to the exit code. */
export async function runEvents(command: EventsCommand, output: CommandOutput = process): Promise<number> {
  using connection = await connect(command, output)
  const kind = await connection.discovery.kindFor({ apiVersion: 'v1', kind: 'Event' })
  const selection: TableSelection = {
    namespace: command.allNamespaces === true ? undefined : connection.namespace,
    fieldSelector: await aboutObject(connection, command.for),
    includeObject: true,
  }
  const { columns, rows, resourceVersion } = await getTable(connection, { kind }, selection)
  const printer = new TablePrinter({ namespaces: command.allNamespaces === true })
  output.stdout.write(printer.print({ columns, rows: rows.toSorted(byTime) }))
  if (command.watch === true) {
    for await (const { type, table } of watchTable(connection, { kind }, { ...selection, resourceVersion })) {
      // Events go when they are old; that is no news.
      if (type !== 'DELETED') output.stdout.write(printer.print(table))
    }
  }
  if (rows.length === 0) {
    const place = command.allNamespaces === true ? '' : ` in ${connection.namespace} namespace`
    output.stderr.write(`No events found${place}.\n`)
  }
  return 0
}

/** When each was seen last. */
function byTime(left: TableRow, right: TableRow): number {
  return timeOf(left) - timeOf(right)
}

function timeOf({ object }: TableRow): number {
  const { series, lastTimestamp, eventTime } = object
  const lastObserved = isPlainObject(series) ? series['lastObservedTime'] : undefined
  const time = [lastObserved, lastTimestamp, eventTime].find((value) => typeof value === 'string')
  return time === undefined ? 0 : (parseUtcTime(time) ?? 0)
}

async function aboutObject(connection: Connection, object: string | undefined): Promise<string | undefined> {
  if (object === undefined) return undefined
  if (!object.includes('/'))
    throw new InvalidArgumentsError(`--for takes kind/name, as in --for pod/web, and not "${object}".`)
  const { kind, name } = await resolveObject(connection.discovery, [object])
  return [
    `involvedObject.kind=${kind.kind}`,
    `involvedObject.apiVersion=${apiVersionOf(kind)}`,
    `involvedObject.name=${name}`,
  ].join(',')
}
