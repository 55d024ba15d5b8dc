import { isPlainObject } from 'kubewright/base'
import { textAt } from './data.js'

const ages = /^(Age|Last Seen|First Seen|Duration|Last Schedule)$/

/** The addresses and ports of a service are the server's choice. */
function withoutAllocated(cell: unknown, column: string): unknown {
  if (typeof cell !== 'string') return cell
  if (column === 'Cluster-IP') return cell.replace(/^\d+\.\d+\.\d+\.\d+$/, '<ip>')
  return column === 'Port(s)' ? cell.replace(/:\d+\//g, ':<port>/') : cell
}

const isAge = (cell: unknown): boolean => typeof cell === 'string' && /^(\d+[smhdy])+$/.test(cell)

/**
 * The rows of a Table without ages and without what the server chose by itself; undefined for what is no Table.
 */
export function maskedRows(value: Record<string, unknown>): readonly unknown[] | undefined {
  const { kind, columnDefinitions: columns, rows } = value
  if (kind !== 'Table' || !Array.isArray(rows)) return undefined
  // A watch names the columns with its first event only.
  const nameOf = (index: number): string => (Array.isArray(columns) ? textAt(columns, `${index}.name`) : '')
  const mayBeAge = (index: number): boolean => nameOf(index) === '' || ages.test(nameOf(index))
  return rows.map((row: unknown) => {
    if (!isPlainObject(row) || !Array.isArray(row['cells'])) return row
    const cells = row['cells'].map((cell: unknown, index) =>
      isAge(cell) && mayBeAge(index) ? '<age>' : withoutAllocated(cell, nameOf(index)),
    )
    return { ...row, cells }
  })
}
