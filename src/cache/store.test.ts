import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../objects/index.js'
import { CachedObject } from './cached-object.js'
import { Snapshot } from './snapshot.js'
import { type IndexFunction, Store } from './store.js'

const named = (name: string, namespace = 'default'): CachedObject =>
  CachedObject.of({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name, namespace, uid: name, resourceVersion: '1', creationTimestamp: '' },
  })

const snapshot = (...objects: CachedObject[]): Snapshot => {
  const state = new Snapshot()
  for (const object of objects) state.set(object)
  return state
}

function storeWith(firstLetter: IndexFunction<KubeObject>) {
  const errors: string[] = []
  const store = new Store<KubeObject>({
    indexes: { firstLetter },
    onIndexError: (index, key, error) => errors.push(`${index} ${key}: ${String(error)}`),
  })
  const find = (value: string): string[] =>
    Array.from(store.byIndex('firstLetter', value) ?? [], ({ object }) => object.metadata.name)
  return { store, find, errors }
}

const firstLetter = ({ metadata }: { metadata: { name: string } }): string[] => [metadata.name.slice(0, 1)]

describe('a store', () => {
  test('finds objects by what its index functions say', async () => {
    const { store, find } = storeWith(firstLetter)
    await store.replace(snapshot(named('apple'), named('bread')))
    store.set(named('avocado'))
    expect(find('a')).toEqual(['apple', 'avocado'])
    store.delete('default/apple')
    expect(find('a')).toEqual(['avocado'])
    expect(store.byIndex('other', 'a')).toBeUndefined()
  })

  test('is replaced all at once: until the new indexes are complete, readers see the old state', async () => {
    const { store, find } = storeWith(firstLetter)
    await store.replace(snapshot(named('old')))
    const many = Array.from({ length: 1_000 }, (_, index) => named(`new${index}`))
    const replaced = store.replace(snapshot(...many))
    expect([store.size, find('o'), find('n')]).toEqual([1, ['old'], []])
    await new Promise((resolve) => setImmediate(resolve))
    expect([store.size, find('o'), find('n')]).toEqual([1, ['old'], []])
    await replaced
    expect([store.size, find('o'), find('n').length]).toEqual([1_000, [], 1_000])
  })

  test('knows the namespaces of a state that was replaced while somebody first asked for them', async () => {
    const { store } = storeWith(firstLetter)
    const many = Array.from({ length: 1_000 }, (_, index) =>
      named(`n${index}`, index % 2 === 0 ? 'even' : 'odd'),
    )
    const replaced = store.replace(snapshot(...many))
    expect([...store.inNamespace('even')]).toEqual([])
    await replaced
    expect([...store.inNamespace('even')]).toHaveLength(500)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['returns nothing', () => undefined],
    ['returns a string', () => 'abc'],
  ])('keeps an object whose index function %s out of that index, and says so', async (_, bad) => {
    // Plain JavaScript may return anything.
    const { store, find, errors } = storeWith((object) =>
      object.metadata.name === 'bad' ? (bad() as unknown as string[]) : firstLetter(object),
    )
    await store.replace(snapshot(named('bad'), named('good')))
    store.set(named('bad'))
    expect(store.size).toBe(2)
    expect(find('g')).toEqual(['good'])
    expect(find('b')).toEqual([])
    expect(errors).toHaveLength(2)
  })
})
