import { sleep, systemClock } from '../../base/index.js'
import type { DiscoveredKind, DynamicObject } from '../../client/index.js'
import { type GetQuery, selectionOf } from './get-query.js'
import { type ObjectFormat, objectText, withoutManagedFields } from './object-text.js'
import type { ResourceTarget } from './resource-arguments.js'
import { kindPrefix } from './table-printer.js'

interface Found {
  readonly objects: readonly DynamicObject[]
  /** From where a watch goes on. */
  readonly resourceVersion: string
}

/** Prints the targets whole, or their names alone, and then what changes if that is wanted. */
export async function printObjects(query: GetQuery, format: 'name' | ObjectFormat): Promise<void> {
  const { connection, command, targets, failures } = query
  const { stdout } = connection.output
  const shown = (object: DynamicObject): object =>
    command.showManagedFields === true ? object : withoutManagedFields(object)
  let hasPrinted = false
  const printOne = async (kind: DiscoveredKind, object: DynamicObject): Promise<void> => {
    if (format === 'name') return void stdout.write(`${kindPrefix(kind)}/${object.metadata.name}\n`)
    if (format === 'yaml' && hasPrinted) stdout.write('---\n')
    stdout.write(await objectText(shown(object), format))
    hasPrinted = true
  }

  const items: object[] = []
  for (const target of targets) {
    await failures.attempt(async () => {
      const { objects, resourceVersion } = await readObjects(query, target)
      // One object that was asked for by its name stands alone, and so does each that is watched.
      const isAlone = (target.name !== undefined && targets.length === 1) || command.watch === true
      if (format === 'name' || isAlone) for (const object of objects) await printOne(target.kind, object)
      else items.push(...objects.map(shown))
      if (command.watch !== true) return
      for await (const object of changes(query, target, resourceVersion)) await printOne(target.kind, object)
    })
  }
  const isList = format !== 'name' && targets.some(({ name }) => name === undefined)
  if (format === 'name' || (items.length === 0 && !(isList && failures.exitCode() === 0))) return
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }
  stdout.write(await objectText(list, format))
}

async function readObjects(query: GetQuery, target: ResourceTarget): Promise<Found> {
  const { client } = query.connection
  const { kind, name } = target
  const selection = selectionOf(query, target)
  if (name === undefined || query.command.watch === true) {
    const { items, metadata } = await client.listAll(kind, selection)
    // Only a list says from where a watch goes on without a gap. That there is no such object, the other request says.
    if (name === undefined || items.length > 0)
      return { objects: items, resourceVersion: metadata.resourceVersion ?? '' }
  }
  const { namespace } = selection
  const object = await client.get(kind, { name: name, namespace })
  return { objects: [object], resourceVersion: object.metadata.resourceVersion ?? '' }
}

/** Goes on when the server ends the watch, as it does from time to time. */
async function* changes(
  query: GetQuery,
  target: ResourceTarget,
  from: string,
): AsyncGenerator<DynamicObject, never, undefined> {
  let resourceVersion = from
  for (;;) {
    const options = { ...selectionOf(query, target), resourceVersion }
    for await (const event of query.connection.client.watch(target.kind, options)) {
      if (event.type === 'bookmark') resourceVersion = event.resourceVersion
      else {
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion
        yield event.object
      }
    }
    // A server that ends every watch at once is not to be asked without a pause.
    await sleep(systemClock, 1_000)
  }
}
