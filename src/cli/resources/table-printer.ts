import type { DiscoveredKind } from '../../client/index.js'
import { resourceNameOf } from '../../objects/index.js'
import { AlignedColumns, cellText } from './aligned-columns.js'
import { metadataOf, type ServerTable, type TableColumn } from './server-table.js'

export interface TableStyle {
  /** With the columns that the server holds back. */
  readonly wide?: boolean
  /** With the namespace of each object. */
  readonly namespaces?: boolean
  /** In front of each name, to tell kinds apart: `deployment.apps`. */
  readonly prefix?: string
}

/** How one kind of object is told from others in what commands print: `deployment.apps`, `pod`. */
export function kindPrefix(kind: Pick<DiscoveredKind, 'kind' | 'group'>): string {
  return resourceNameOf({ plural: kind.kind.toLowerCase(), group: kind.group })
}

/** Prints the tables of one kind, one after the other, under one header. */
export class TablePrinter {
  readonly #style: TableStyle
  readonly #layout = new AlignedColumns()
  #columns: readonly TableColumn[] = []

  constructor(style: TableStyle = {}) {
    this.#style = style
  }

  /** The lines of a table; the header comes before the first row. */
  print({ columns, rows }: Pick<ServerTable, 'columns' | 'rows'>): string {
    if (rows.length === 0) return ''
    const lines: string[][] = []
    if (columns.length > 0 && !isSame(columns, this.#columns)) {
      this.#columns = columns
      lines.push(this.#header())
    }
    for (const row of rows) lines.push(this.#cells(row))
    return this.#layout.format(lines)
  }

  #header(): string[] {
    const names = this.#columns
      .filter((column) => this.#isShown(column))
      .map(({ name }) => name.toUpperCase())
    return this.#style.namespaces === true ? ['NAMESPACE', ...names] : names
  }

  #cells(row: ServerTable['rows'][number]): string[] {
    const { prefix, namespaces } = this.#style
    const nameAt = this.#columns.findIndex(({ isName }) => isName)
    const cells = this.#columns.flatMap((column, index) => {
      if (!this.#isShown(column)) return []
      const text = cellText(row.cells[index])
      return [index === nameAt && prefix !== undefined ? `${prefix}/${text}` : text]
    })
    return namespaces === true ? [cellText(metadataOf(row)['namespace']), ...cells] : cells
  }

  #isShown({ isWide }: TableColumn): boolean {
    return !isWide || this.#style.wide === true
  }
}

function isSame(left: readonly TableColumn[], right: readonly TableColumn[]): boolean {
  return left.length === right.length && left.every(({ name }, index) => name === right[index]?.name)
}
