import { stringifyJson } from '../../base/index.js'
import type { ListMeta } from '../../objects/index.js'
import { badRequest } from '../failure.js'
import type { TableLayout } from '../resource.js'
import { partialMetadataText } from './partial-metadata.js'
import type { Rendition } from './rendition.js'

/** What each row carries of its object. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** Reads `includeObject`. Throws the real server's answer to other values. */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? ''
  switch (value) {
    case '':
      return 'Metadata'
    case 'None':
    case 'Metadata':
    case 'Object':
      return value
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
      )
  }
}

export interface TableOptions {
  readonly layout: TableLayout
  readonly version: 'v1' | 'v1beta1'
  readonly includeObject: IncludeObject
  /** Ages are counted to this moment, milliseconds since 1970. */
  readonly now: number
  /** In a watch only the first event names the columns. */
  readonly hasColumns: boolean
}

/** A Table as JSON, of a list or of one object. */
export function tableText(items: Iterable<Rendition>, metadata: ListMeta, options: TableOptions): string {
  const { layout, version, hasColumns } = options
  const rows: string[] = []
  for (const item of items) rows.push(rowText(item, options))
  const columns = hasColumns ? stringifyJson(layout.columns.map(columnOf)) : 'null'
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${stringifyJson(metadata)},"columnDefinitions":${columns},"rows":[${rows.join(',')}]}`
}

function columnOf({ name, type, format, description, priority }: TableLayout['columns'][number]): unknown {
  return { name, type, format, description, priority }
}

function rowText(item: Rendition, options: TableOptions): string {
  const { layout, now } = options
  const cells = stringifyJson(layout.cells(item.object, now))
  const conditions = layout.conditions?.(item.object) ?? []
  const shown = conditions.length === 0 ? '' : `,"conditions":${stringifyJson(conditions)}`
  return `{"cells":${cells}${shown},"object":${embeddedText(item, options)}}`
}

function embeddedText(item: Rendition, { includeObject, version }: TableOptions): string {
  switch (includeObject) {
    case 'None':
      return 'null'
    case 'Metadata':
      return partialMetadataText(item.object, version)
    case 'Object':
      return item.json.toString('utf8')
    default:
      return includeObject satisfies never
  }
}
