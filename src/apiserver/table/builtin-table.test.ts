import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deepFreeze } from '../../base/index.js'
import type { StoredApiObject } from '../api-object.js'
import { builtinTable } from './builtin-table.js'
import { builtinColumns } from './columns.js'

interface Row {
  readonly group: string
  readonly now: number
  readonly object: StoredApiObject
  readonly cells: readonly unknown[]
}

// Objects of a real Kubernetes v1.36.3, each with the row that it answered for it at that time.
const golden = readFileSync(new URL('real-rows.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)

test.each(golden.map((row) => ({ ...row, title: `${row.object.kind} ${row.object.metadata.name ?? ''}` })))(
  '$title is shown as by the real server',
  ({ group, now, object, cells }) => {
    expect(builtinTable(group, object.kind).cells(deepFreeze(object), now)).toEqual(cells)
  },
)

test('a kind without columns of its own shows its name and when it was made', () => {
  const { columns, cells } = builtinTable('', 'LimitRange')
  const metadata = { name: 'x', creationTimestamp: '2026-08-20T09:30:00Z' }
  expect(columns.map(({ name, type, format }) => [name, type, format])).toEqual([
    ['Name', 'string', 'name'],
    ['Created At', 'date', ''],
  ])
  expect(cells({ apiVersion: 'v1', kind: 'LimitRange', metadata }, 0)).toEqual(['x', '2026-08-20T09:30:00Z'])
})

test('every kind that has columns has as many cells', () => {
  for (const { group, object } of golden) {
    const { columns, cells } = builtinTable(group, object.kind)
    // The real server gives addresses one cell too many, too.
    const extra = object.kind === 'IPAddress' ? 1 : 0
    expect(cells(object, 0)).toHaveLength(columns.length + extra)
  }
})

test('every kind that has columns has cells', () => {
  for (const key of Object.keys(builtinColumns)) {
    const [kind = '', ...group] = key.split('.')
    expect(builtinTable(group.join('.'), kind).columns).toBe(builtinColumns[key])
  }
})

test('the row of a pod that is over says so', () => {
  const { conditions } = builtinTable('', 'Pod')
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, status: { phase: 'Failed' } }
  expect(conditions?.(pod)).toEqual([
    { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
  ])
  expect(conditions?.({ ...pod, status: { phase: 'Running' } })).toEqual([])
})
