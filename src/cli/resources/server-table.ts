import { isPlainObject } from '../../base/index.js'

/** One column as the server describes it. */
export interface TableColumn {
  readonly name: string
  /** Whether it holds the name of the object. */
  readonly isName: boolean
  /** Whether it is shown only to those who want more. */
  readonly isWide: boolean
}

export interface TableRow {
  readonly cells: readonly unknown[]
  /** The object, or its metadata alone. */
  readonly object: Readonly<Record<string, unknown>>
}

/** Objects as a table, made by the server (`meta.k8s.io/v1 Table`). */
export interface ServerTable {
  /** Empty in all but the first table of a watch. */
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  readonly resourceVersion: string
  /** What to ask for the next page with; empty after the last one. */
  readonly next: string
}

/** The media type that asks for a table. */
export const tableMediaType = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** Reads a table from untrusted data; undefined when it is something else. */
export function readTable(answer: unknown): ServerTable | undefined {
  if (!isPlainObject(answer) || answer['kind'] !== 'Table') return undefined
  const metadata = isPlainObject(answer['metadata']) ? answer['metadata'] : {}
  return {
    columns: objectsIn(answer['columnDefinitions']).map(({ name, type, format, priority }) => ({
      name: textOf(name),
      isName: format === 'name' && type === 'string',
      isWide: typeof priority === 'number' && priority !== 0,
    })),
    rows: objectsIn(answer['rows']).map(({ cells, object }) => ({
      cells: Array.isArray(cells) ? cells : [],
      object: isPlainObject(object) ? object : {},
    })),
    resourceVersion: textOf(metadata['resourceVersion']),
    next: textOf(metadata['continue']),
  }
}

/** The metadata of the object of a row. */
export function metadataOf({ object }: TableRow): Readonly<Record<string, unknown>> {
  return isPlainObject(object['metadata']) ? object['metadata'] : {}
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
