import { stringifyJson } from '../../base/index.js'

const leastWidth = 6
const gap = 3

/**
 * Lays out rows of cells as kubectl does: each column is as wide as its widest cell and a gap, the last one as it comes.
 * Columns never become narrower, so that what follows later stands under what was there first.
 */
export class AlignedColumns {
  readonly #widths: number[] = []

  /** The lines of these rows, each with its line feed. */
  format(rows: readonly (readonly string[])[]): string {
    for (const row of rows) {
      for (const [column, cell] of row.slice(0, -1).entries()) {
        const width = Math.max(leastWidth, lengthOf(cell) + gap)
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, width)
      }
    }
    return rows.map((row) => `${this.#line(row)}\n`).join('')
  }

  #line(row: readonly string[]): string {
    const last = row.length - 1
    return row
      .map((cell, column) =>
        column === last ? cell : cell + ' '.repeat((this.#widths[column] ?? 0) - lengthOf(cell)),
      )
      .join('')
  }
}

function lengthOf(text: string): number {
  return Array.from(text).length
}

/** A cell of a table as text on one line. What could move the cursor or change colours is made visible or left out. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'string' ? cell : stringifyJson(cell)
  const end = text.search(/[\f\n\r]/)
  const line = end === -1 ? text : `${text.slice(0, end)}...`
  return line.replace(/\p{Cc}/gu, (character) => (character === '\u001b' ? '^[' : ' '))
}
