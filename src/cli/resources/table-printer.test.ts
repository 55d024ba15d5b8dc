import { describe, expect, test } from 'vitest'
import { cellText } from './aligned-columns.js'
import { readTable, type ServerTable } from './server-table.js'
import { kindPrefix, TablePrinter } from './table-printer.js'

const column = (name: string, more: object = {}): object => ({
  name,
  type: 'string',
  format: '',
  priority: 0,
  ...more,
})
const row = (namespace: string, ...cells: unknown[]): object => ({
  cells,
  object: { kind: 'PartialObjectMetadata', metadata: { name: cells[0], namespace } },
})

function table(rows: readonly object[], columns?: readonly object[]): ServerTable {
  const read = readTable({
    kind: 'Table',
    metadata: { resourceVersion: '7' },
    columnDefinitions: columns ?? [
      column('Name', { format: 'name' }),
      column('Replicas', { type: 'integer' }),
      column('Node', { priority: 1 }),
      column('Age'),
    ],
    rows,
  })
  if (read === undefined) throw new Error('not a table')
  return read
}

describe('a table', () => {
  test('has columns as wide as their widest cell, and three spaces between', () => {
    const text = new TablePrinter().print(
      table([row('a', 'web', 10, 'n1', '5s'), row('a', 'database', 1, 'n2', '12m')]),
    )
    expect(text.split('\n')).toEqual([
      'NAME       REPLICAS   AGE',
      'web        10         5s',
      'database   1          12m',
      '',
    ])
  })

  test('shows more columns, namespaces and kinds to those who ask', () => {
    const printer = new TablePrinter({
      wide: true,
      namespaces: true,
      prefix: kindPrefix({ kind: 'Foo', group: 'example.com' }),
    })
    expect(printer.print(table([row('default', 'web', 1, 'n1', '5s')])).split('\n')).toEqual([
      'NAMESPACE   NAME                  REPLICAS   NODE   AGE',
      'default     foo.example.com/web   1          n1     5s',
      '',
    ])
  })

  test('of nothing is nothing', () => {
    expect(new TablePrinter().print(table([]))).toBe('')
  })

  test('that goes on has one header, and stays aligned', () => {
    const printer = new TablePrinter()
    printer.print(table([row('a', 'a-long-name', 1, '', '5s')]))
    expect(printer.print(table([row('a', 'web', 2, '', '6s')], []))).toBe('web           2          6s\n')
    expect(printer.print(table([row('a', 'web', 3, '', '7s')]))).toBe('web           3          7s\n')
  })

  test('with missing and surplus cells is still a table', () => {
    expect(new TablePrinter().print(table([row('a', 'web'), row('a', 'db', 1, '', '5s', 'more')]))).toBe(
      'NAME   REPLICAS   AGE\nweb               \ndb     1          5s\n',
    )
  })
})

test.each([
  ['text', 'text'],
  [null, ''],
  [undefined, ''],
  [3, '3'],
  [9007199254740993n, '9007199254740993'],
  [true, 'true'],
  ['first line\nsecond', 'first line...'],
  ['\u001b[31mred\u009b0m\tand more', '^[[31mred 0m and more'],
])('the cell %s is shown as %s', (cell, text) => {
  expect(cellText(cell)).toBe(text)
})

test.each([[null], ['text'], [{ kind: 'PodList', items: [] }], [[]]])('%j is no table', (answer) => {
  expect(readTable(answer)).toBeUndefined()
})

test('what is odd in a table is passed over', () => {
  expect(
    readTable({ kind: 'Table', columnDefinitions: [1], rows: ['x', { cells: 5 }], metadata: 7 }),
  ).toEqual({
    columns: [],
    rows: [{ cells: [], object: {} }],
    resourceVersion: '',
    next: '',
  })
})
