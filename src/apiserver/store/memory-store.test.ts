import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApiObject } from '../api-object.js'
import { createMemoryStore } from './memory-store.js'
import { CompactedError, RevisionMismatchError, type Store, type StoreEvent } from './store.js'

const object = (name: string, value = ''): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
})
const put = (store: Store, name: string, value = ''): number =>
  store.put(
    'configmaps',
    `default/${name}`,
    object(name, value),
    store.get('configmaps', `default/${name}`)?.revision ?? 0,
  ).revision
const remove = (store: Store, name: string): number =>
  store.delete('configmaps', `default/${name}`, store.get('configmaps', `default/${name}`)?.revision ?? 0)
    .revision
const valuesAt = (store: Store, revision?: number): unknown[] =>
  [...store.scan('configmaps', revision === undefined ? {} : { revision })].map(
    ({ key, object: { data } }) => [key, data],
  )

test('a put gives the object its revision as the resourceVersion, in the bytes and in the data', () => {
  const store = createMemoryStore({ initialRevision: 41 })
  const stored = store.put('configmaps', 'default/a', object('a', 'x'), 0)
  expect(stored.revision).toBe(42)
  expect(store.revision).toBe(42)
  expect(stored.json.toString()).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","resourceVersion":"42"},"data":{"value":"x"}}',
  )
  expect(stored.object.metadata.resourceVersion).toBe('42')
  expect(Object.isFrozen(stored.object.metadata)).toBe(true)
  expect(stored.apiVersion).toBe('v1')
})

test('the draft may change after the put, the stored object does not', () => {
  const store = createMemoryStore()
  const draft = object('a', 'x')
  const stored = store.put('configmaps', 'default/a', draft, 0)
  draft['data'] = { value: 'y' }
  expect(stored.object['data']).toEqual({ value: 'x' })
})

test('hostile keys and integers beyond 2^53 are kept as data', () => {
  const store = createMemoryStore()
  const draft: ApiObject = {
    ...object('a'),
    data: JSON.parse('{"__proto__":"p","constructor":"c","toString":"t"}'),
    spec: { big: 12345678901234567890n },
  }
  const stored = store.put('configmaps', 'default/a', draft, 0)
  expect(Object.entries(stored.object['data'] as object)).toEqual([
    ['__proto__', 'p'],
    ['constructor', 'c'],
    ['toString', 't'],
  ])
  expect(stored.object['spec']).toEqual({ big: 12345678901234567890n })
})

test('a write that was based on another revision is refused and changes nothing', () => {
  const store = createMemoryStore()
  const first = put(store, 'a')
  expect(() => store.put('configmaps', 'default/a', object('a'), 0)).toThrow(RevisionMismatchError)
  expect(() => store.put('configmaps', 'default/a', object('a'), first + 1)).toThrow(RevisionMismatchError)
  expect(() => store.delete('configmaps', 'default/a', first - 1)).toThrow(RevisionMismatchError)
  expect(() => store.delete('configmaps', 'default/none', 0)).toThrow(RevisionMismatchError)
  expect(store.revision).toBe(first)
})

test('an object that has no JSON is refused and changes nothing', () => {
  const store = createMemoryStore()
  const before = store.revision
  const draft: ApiObject = { ...object('a'), data: { value: Number.NaN } }
  expect(() => store.put('configmaps', 'default/a', draft, 0)).toThrow(/no JSON form/)
  expect(store.revision).toBe(before)
  expect(store.count('configmaps')).toBe(0)
})

test('a deletion shows the last state at the revision of the deletion', () => {
  const store = createMemoryStore()
  put(store, 'a', 'x')
  const events: StoreEvent[] = []
  store.subscribe({ after: store.revision }, (event) => events.push(event))
  const deleted = store.delete('configmaps', 'default/a', store.revision, object('a', 'last'))
  expect(deleted.object['data']).toEqual({ value: 'last' })
  expect(deleted.object.metadata.resourceVersion).toBe(String(store.revision))
  expect(events.map(({ type, previous }) => [type, previous?.object['data']])).toEqual([
    ['deleted', { value: 'x' }],
  ])
})

test('every revision in the window shows what was there then', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), isDeletion: fc.boolean() }), {
        maxLength: 40,
      }),
      (changes) => {
        const store = createMemoryStore()
        const states = new Map([[store.revision, valuesAt(store)]])
        for (const [index, { name, isDeletion }] of changes.entries()) {
          if (!isDeletion) put(store, name, String(index))
          else if (store.get('configmaps', `default/${name}`) !== undefined) remove(store, name)
          store.put('secrets', 'default/x', object('x'), store.get('secrets', 'default/x')?.revision ?? 0)
          states.set(store.revision, valuesAt(store))
        }
        for (const [revision, values] of states) expect(valuesAt(store, revision)).toEqual(values)
      },
    ),
  )
})

test('a scan of the past keeps to its prefix and its beginning', () => {
  const store = createMemoryStore()
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) store.put('pods', key, object(key), 0)
  const then = store.revision
  for (const key of ['a/2', 'b/1']) store.delete('pods', key, store.get('pods', key)?.revision ?? 0)
  store.put('pods', 'a/9', object('a/9'), 0)
  const keys = (options: object): string[] => [...store.scan('pods', options)].map(({ key }) => key)
  expect(keys({ prefix: 'a/', revision: then })).toEqual(['a/1', 'a/2', 'a/3'])
  expect(keys({ prefix: 'a/', after: 'a/1', revision: then })).toEqual(['a/2', 'a/3'])
  expect(keys({ prefix: 'a/', after: 'a/1' })).toEqual(['a/3', 'a/9'])
  expect(keys({ after: 'a/3' })).toEqual(['a/9'])
  expect(store.count('pods', 'a/')).toBe(3)
})

test('what lies before the window is refused, by count, by bytes and after a compaction', () => {
  const byCount = createMemoryStore({ historyLimit: { events: 3 } })
  for (let count = 0; count < 10; count++) put(byCount, 'a', String(count))
  expect(byCount.oldestRevision).toBe(byCount.revision - 3)
  expect(valuesAt(byCount, byCount.oldestRevision)).toEqual([['default/a', { value: '6' }]])
  expect(() => byCount.scan('configmaps', { revision: byCount.oldestRevision - 1 })).toThrow(CompactedError)
  expect(() => byCount.subscribe({ after: byCount.oldestRevision - 1 }, () => {})).toThrow(CompactedError)

  const byBytes = createMemoryStore({ historyLimit: { bytes: 2000 } })
  for (let count = 0; count < 10; count++) put(byBytes, 'a', 'x'.repeat(500))
  expect(byBytes.revision - byBytes.oldestRevision).toBe(2)

  const compacted = createMemoryStore()
  for (let count = 0; count < 5; count++) put(compacted, 'a', String(count))
  compacted.compact(3)
  expect(compacted.oldestRevision).toBe(3)
  expect(valuesAt(compacted, 3)).toEqual([['default/a', { value: '1' }]])
  compacted.compact()
  expect(compacted.oldestRevision).toBe(compacted.revision)
  expect(valuesAt(compacted)).toEqual([['default/a', { value: '4' }]])
})

test('a subscriber is told the past within the call and everything after it as it happens', () => {
  const store = createMemoryStore()
  const start = store.revision
  put(store, 'a')
  put(store, 'b')
  store.put('secrets', 'default/s', object('s'), 0)
  const seen: number[] = []
  const stop = store.subscribe({ resource: 'configmaps', after: start }, ({ revision }) =>
    seen.push(revision),
  )
  expect(seen).toEqual([start + 1, start + 2])
  put(store, 'a')
  expect(seen).toEqual([start + 1, start + 2, start + 4])
  stop()
  put(store, 'a')
  expect(seen).toHaveLength(3)
})

test('a subscriber from the future hears nothing before it', () => {
  const store = createMemoryStore()
  const seen: number[] = []
  const start = store.revision
  store.subscribe({ after: start + 2 }, ({ revision }) => seen.push(revision))
  for (let count = 0; count < 4; count++) put(store, 'a')
  expect(seen).toEqual([start + 3, start + 4])
})

test('listeners that write are all told everything in the order of revisions', () => {
  const store = createMemoryStore()
  const early: number[] = []
  const late: number[] = []
  store.subscribe({ after: store.revision }, ({ revision, key }) => {
    early.push(revision)
    if (key === 'default/a') put(store, 'b')
  })
  store.subscribe({ after: store.revision }, ({ revision, key }) => {
    late.push(revision)
    if (key === 'default/b') put(store, 'c')
  })
  const first = put(store, 'a')
  expect(early).toEqual([first, first + 1, first + 2])
  expect(late).toEqual([first, first + 1, first + 2])
})

test('a listener that writes while it is told the past is told its own writes afterwards, once', () => {
  const store = createMemoryStore()
  const start = store.revision
  put(store, 'a')
  put(store, 'b')
  const seen: string[] = []
  store.subscribe({ after: start }, ({ key, revision }) => {
    seen.push(`${key} ${revision - start}`)
    if (key === 'default/a') put(store, 'own')
  })
  expect(seen).toEqual(['default/a 1', 'default/b 2', 'default/own 3'])
})

test('one who subscribes while an event is delivered gets each event once', () => {
  const store = createMemoryStore()
  const seen: number[] = []
  let isFirst = true
  store.subscribe({ after: store.revision }, ({ revision }) => {
    if (!isFirst) return
    isFirst = false
    put(store, 'b')
    store.subscribe({ after: revision - 1 }, (event) => seen.push(event.revision))
  })
  const first = put(store, 'a')
  put(store, 'c')
  expect(seen).toEqual([first, first + 1, first + 2])
})

test('a fork has the same content and history and goes its own way', () => {
  const store = createMemoryStore()
  put(store, 'a', 'before')
  const then = store.revision
  const heard: string[] = []
  store.subscribe({ after: then }, ({ key }) => heard.push(key))
  const fork = store.fork()
  put(fork, 'a', 'fork')
  put(fork, 'f')
  put(store, 'a', 'origin')
  expect(valuesAt(store)).toEqual([['default/a', { value: 'origin' }]])
  expect(valuesAt(fork)).toEqual([
    ['default/a', { value: 'fork' }],
    ['default/f', { value: '' }],
  ])
  expect(valuesAt(fork, then)).toEqual([['default/a', { value: 'before' }]])
  expect(heard).toEqual(['default/a'])
})

test('closing ends all subscriptions', async () => {
  const store = createMemoryStore()
  const seen: number[] = []
  store.subscribe({ after: store.revision }, ({ revision }) => seen.push(revision))
  await store.close()
  put(store, 'a')
  expect(seen).toEqual([])
})
