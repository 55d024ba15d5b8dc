import { isPlainObject } from 'kubewright/base'

const ages = /^(Age|Last Seen|First Seen|Duration|Last Schedule)$/
const isAge = (cell: unknown): boolean => typeof cell === 'string' && /^(\d+[smhdy])+$/.test(cell)

/** The rows of a Table with `<age>` where a cell says how long ago something was; undefined for what is no Table. */
export function rowsWithoutAges(value: Record<string, unknown>): readonly unknown[] | undefined {
  const { kind, columnDefinitions: columns, rows } = value
  if (kind !== 'Table' || !Array.isArray(rows)) return undefined
  // A watch names the columns with its first event only.
  const mayBeAge = (index: number): boolean => {
    const column: unknown = Array.isArray(columns) ? columns[index] : undefined
    return !isPlainObject(column) || ages.test(String(column['name']))
  }
  return rows.map((row: unknown) => {
    if (!isPlainObject(row) || !Array.isArray(row['cells'])) return row
    const cells = row['cells'].map((cell: unknown, index) => (isAge(cell) && mayBeAge(index) ? '<age>' : cell))
    return { ...row, cells }
  })
}
