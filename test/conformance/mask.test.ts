import { expect, test } from 'vitest'
import { firstDifference } from './difference.js'
import { maskSteps } from './mask.js'
import type { Step } from './transcript.js'

const nowMs = Date.UTC(2026, 5, 1)
const seenBy = (...seen: unknown[]): Step[] => seen.map((each) => ({ what: 'a step', seen: each }))

function masked(steps: readonly Step[], words: Record<string, string> = {}): unknown[] {
  const circumstances = { words, startedMs: nowMs, endedMs: nowMs, anyOrderOfCauses: false }
  return maskSteps(steps, circumstances).map(({ seen }) => seen)
}

const uidA = 'aaaaaaaa-0000-4000-8000-000000000000'
const uidB = 'bbbbbbbb-0000-4000-8000-000000000000'

test('uids are numbered as they appear, whatever the order of keys, also within texts', () => {
  expect(masked(seenBy({ b: uidB, a: uidA }, { message: `${uidB} is not ${uidA}` }))).toEqual([
    { a: '<uid 1>', b: '<uid 2>' },
    { message: '<uid 2> is not <uid 1>' },
  ])
})

test('versions of objects are ranked, so that later stays later', () => {
  const at = (resourceVersion: string): object => ({ metadata: { resourceVersion } })
  expect(masked(seenBy(at('100'), at('99'), at('100')))).toEqual([
    at('<version 2>'),
    at('<version 1>'),
    at('<version 2>'),
  ])
})

test('the version of a list says only that there is one', () => {
  const list = {
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '7' },
    items: [{ metadata: { resourceVersion: '7' } }],
  }
  expect(masked(seenBy(list))).toMatchObject([
    {
      metadata: { resourceVersion: '<revision>' },
      items: [{ metadata: { resourceVersion: '<version 1>' } }],
    },
  ])
})

test('times of the conversation are hidden, others stay', () => {
  expect(
    masked(
      seenBy([
        '2026-06-01T00:00:05Z',
        '2026-06-01T00:00:00.123456Z',
        '2026-06-01T01:00:00Z',
        '2001-01-01T00:00:00Z',
      ]),
    ),
  ).toEqual([['<now>', '<now, exact>', '<later>', '2001-01-01T00:00:00Z']])
})

test('a generated name is hidden wherever it shows', () => {
  const made = { metadata: { generateName: 'a-', name: 'a-x7k2p' } }
  expect(masked(seenBy(made, { message: 'pods "a-x7k2p" not found' }))).toEqual([
    { metadata: { generateName: 'a-', name: 'a-<generated 1>' } },
    { message: 'pods "a-<generated 1>" not found' },
  ])
})

test('words of the run are replaced in keys and texts', () => {
  expect(masked(seenBy({ 'q7abc.example.com': 'in q7abc' }), { q7abc: 'TAG' })).toEqual([
    { 'TAG.example.com': 'in TAG' },
  ])
})

test('managed fields are in order of operation, and within one by manager, wherever that stands', () => {
  const entry = (manager: string, operation: string): object => ({ manager, operation })
  const [seen] = masked(
    seenBy({
      managedFields: [
        entry('z', 'Apply'),
        { apiVersion: 'v1', ...entry('b', 'Update') },
        entry('a', 'Update'),
      ],
    }),
  )
  expect(seen).toEqual({
    managedFields: [entry('z', 'Apply'), entry('a', 'Update'), { ...entry('b', 'Update'), apiVersion: 'v1' }],
  })
})

test('the first step that differs is told, with the paths that differ', () => {
  const difference = firstDifference(
    { name: 'real', steps: seenBy({ same: 1 }, { status: 200, body: { a: [1, 2] } }) },
    { name: 'embedded', steps: seenBy({ same: 1 }, { status: 200, body: { a: [1, 3], b: null } }) },
  )
  expect(difference).toBe(
    [
      'step 2: a step',
      '  body.a[1]',
      '    real: 2',
      '    embedded: 3',
      '  body.b',
      '    real: (nothing)',
      '    embedded: null',
    ].join('\n'),
  )
})

test('a transcript that goes on is different from one that ends', () => {
  const difference = firstDifference(
    { name: 'real', steps: seenBy(1, 2) },
    { name: 'embedded', steps: seenBy(1) },
  )
  expect(difference).toContain('only real got this far')
})
