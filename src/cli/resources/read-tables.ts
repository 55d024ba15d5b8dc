import { isPlainObject, parseJson, sleep, systemClock } from '../../base/index.js'
import {
  createLineSplitter,
  decodeUtf8,
  readText,
  UnexpectedResponseError,
  WatchDecodeError,
} from '../../client/index.js'
import {
  ApiError,
  buildRequest,
  listQuery,
  parseStatus,
  type QueryParameters,
  type SelectionParameters,
  watchQuery,
} from '../../objects/index.js'
import type { Connection } from './connection.js'
import type { ResourceTarget } from './resource-arguments.js'
import { readTable, type ServerTable, tableMediaType } from './server-table.js'

/** Which objects of a kind are shown. */
export interface TableSelection extends SelectionParameters {
  /** Absent: all of them, or a kind without namespaces. */
  readonly namespace?: string | undefined
  /** Whole objects in the rows, not their metadata alone. */
  readonly includeObject?: boolean
}

const pageSize = 500

/** One object, or all that are selected, as a table. */
export async function getTable(
  connection: Connection,
  { kind, name }: ResourceTarget,
  selection: TableSelection,
): Promise<ServerTable> {
  const { namespace } = selection
  const include = includeQuery(selection)
  if (name !== undefined)
    return fetchTable(connection, buildTableRequest('get', { kind, namespace, name }, include))
  const pages: ServerTable[] = []
  for (let next: string | undefined; next !== ''; ) {
    const query = listQuery({ ...selection, limit: pageSize, continue: next })
    const page = await fetchTable(
      connection,
      buildTableRequest('list', { kind, namespace }, { ...query, ...include }),
    )
    pages.push(page)
    next = page.next
  }
  return {
    columns: pages[0]?.columns ?? [],
    rows: pages.flatMap(({ rows }) => rows),
    resourceVersion: pages[0]?.resourceVersion ?? '',
    next: '',
  }
}

type TableRequest = ReturnType<typeof buildRequest>

function buildTableRequest(
  verb: 'get' | 'list' | 'watch',
  target: Parameters<typeof buildRequest>[1],
  query: QueryParameters,
): TableRequest {
  return buildRequest(verb, target, { query, accept: `${tableMediaType},application/json` })
}

function includeQuery({ includeObject }: TableSelection): QueryParameters {
  return includeObject === true ? { includeObject: 'Object' } : {}
}

async function fetchTable({ client }: Connection, request: TableRequest): Promise<ServerTable> {
  const response = await client.request(request)
  const text = await readText(response.body)
  return tableIn(request.description, () => parseJson(text))
}

function tableIn(request: string, read: () => unknown): ServerTable {
  let table: ServerTable | undefined
  try {
    table = readTable(read())
  } catch (error) {
    throw new UnexpectedResponseError(request, 'something that is not JSON', error)
  }
  if (table === undefined) throw new UnexpectedResponseError(request, 'something that is not a table')
  return table
}

/** One change that a watch tells of. */
export interface TableEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly table: ServerTable
}

/** What changes after a version, as tables. Goes on when the server ends the watch, as it does from time to time. */
export async function* watchTable(
  connection: Connection,
  { kind }: ResourceTarget,
  options: TableSelection & { readonly resourceVersion: string },
): AsyncGenerator<TableEvent, never, undefined> {
  let { resourceVersion } = options
  for (;;) {
    const query = watchQuery({ ...options, resourceVersion })
    const request = buildTableRequest(
      'watch',
      { kind, namespace: options.namespace },
      { ...query, ...includeQuery(options) },
    )
    for await (const event of followTable(connection, request)) {
      resourceVersion = event.table.resourceVersion === '' ? resourceVersion : event.table.resourceVersion
      yield event
    }
    // A server that ends every watch at once is not to be asked without a pause.
    await sleep(systemClock, 1_000)
  }
}

async function* followTable({ client }: Connection, request: TableRequest): AsyncGenerator<TableEvent> {
  // Nothing may happen for hours.
  const response = await client.request({ ...request, isStream: true, timeoutMs: 0, idleTimeoutMs: 0 })
  const splitter = createLineSplitter()
  for await (const chunk of response.body) {
    const events: TableEvent[] = []
    splitter.push(chunk, (line) => void events.push(readEvent(request.description, line)))
    yield* events
  }
}

function readEvent(request: string, line: Uint8Array): TableEvent {
  let event: unknown
  try {
    event = parseJson(decodeUtf8(line))
  } catch (error) {
    throw new WatchDecodeError(request, error)
  }
  const { type, object } = isPlainObject(event) ? event : {}
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED')
    return { type, table: tableIn(request, () => object) }
  const status = parseStatus(object) ?? { kind: 'Status' }
  throw new ApiError({ request, status, httpStatus: status.code ?? 500 })
}
