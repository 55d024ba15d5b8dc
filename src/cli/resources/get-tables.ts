import { type GetQuery, selectionOf } from './get-query.js'
import { getTable, watchTable } from './read-tables.js'
import type { ResourceTarget } from './resource-arguments.js'
import type { ServerTable } from './server-table.js'
import { kindPrefix, TablePrinter } from './table-printer.js'

/** Prints the targets as tables, one for each kind, and then what changes if that is wanted. */
export async function printTables(query: GetQuery): Promise<void> {
  const { connection, command, targets, failures } = query
  const { stdout, stderr } = connection.output
  const hasSeveralKinds = new Set(targets.map(({ kind }) => kind)).size > 1
  const printers = new Map<ResourceTarget['kind'], TablePrinter>()
  let isEmpty = true
  for (const target of targets) {
    const { kind } = target
    const printer =
      printers.get(kind) ??
      new TablePrinter({
        wide: command.output === 'wide',
        namespaces: command.allNamespaces === true && kind.scope === 'Namespaced',
        ...(hasSeveralKinds && { prefix: kindPrefix(kind) }),
      })
    await failures.attempt(async () => {
      const table = await tableOf(query, target)
      const text = printer.print(table)
      if (text !== '') {
        stdout.write(printers.size > 0 && !printers.has(kind) ? `\n${text}` : text)
        printers.set(kind, printer)
        isEmpty = false
      }
      if (command.watch === true) await printChanges(query, target, { printer, from: table.resourceVersion })
    })
  }
  if (isEmpty && failures.exitCode() === 0) stderr.write(`${nothingFound(query)}\n`)
}

async function tableOf(query: GetQuery, target: ResourceTarget): Promise<ServerTable> {
  const { connection, command } = query
  const selection = selectionOf(query, target)
  if (target.name !== undefined && command.watch === true) {
    // Only a list says from where a watch goes on without a gap. That there is no such object, the other request says.
    const list = await getTable(connection, { kind: target.kind }, selection)
    if (list.rows.length > 0) return list
  }
  return getTable(connection, target, selection)
}

async function printChanges(
  query: GetQuery,
  target: ResourceTarget,
  { printer, from }: { readonly printer: TablePrinter; readonly from: string },
): Promise<void> {
  const { connection } = query
  const options = { ...selectionOf(query, target), resourceVersion: from }
  for await (const { table } of watchTable(connection, target, options))
    connection.output.stdout.write(printer.print(table))
}

function nothingFound({ connection, command, targets }: GetQuery): string {
  const isInNamespace =
    command.allNamespaces !== true && targets.every(({ kind }) => kind.scope === 'Namespaced')
  return isInNamespace ? `No resources found in ${connection.namespace} namespace.` : 'No resources found'
}
