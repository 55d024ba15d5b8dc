import { describe, expect, test } from 'vitest'
import { CachedObject } from '../cache/cached-object.js'
import { ConfigMap } from '../kinds/core/v1.js'
import { CauseBook, causeOf, causeOfChange, changedFields, describeCause } from './cause.js'

const configMap = (resourceVersion: string, data: Record<string, string>) =>
  CachedObject.of({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'a', uid: 'u', resourceVersion, creationTimestamp: '' },
    data,
  })

describe('a cause', () => {
  test('names the object and the fields that changed, and no bookkeeping', () => {
    const cause = causeOfChange(
      ConfigMap,
      configMap('1', { x: '1', y: '1' }),
      configMap('2', { x: '2', z: '1' }),
    )
    expect(describeCause(cause)).toBe('changed configmaps default/a: data.x, data.y, data.z')
  })

  test('without a change names the object alone', () => {
    expect(describeCause(causeOf('deleted', ConfigMap, configMap('1', {})))).toBe(
      'deleted configmaps default/a',
    )
    expect(describeCause({ type: 'retry' })).toBe('retry')
  })
})

describe('changed fields', () => {
  test('are named at the depth at which they differ, lists as a whole', () => {
    const old = { spec: { replicas: 1, list: [1, { a: 1 }], same: { deep: true } } }
    const current = { spec: { replicas: 2, list: [1, { a: 2 }], same: { deep: true }, added: null } }
    expect(changedFields(old, current)).toEqual(['spec.replicas', 'spec.list', 'spec.added'])
  })

  test('are at most a dozen', () => {
    const many = (value: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, value]))
    expect(changedFields(many(1), many(2))).toHaveLength(12)
  })

  test('with hostile names are only names', () => {
    const old: unknown = JSON.parse('{"spec":{"__proto__":{"x":1},"constructor":1}}')
    const current: unknown = JSON.parse('{"spec":{"__proto__":{"x":2},"constructor":2}}')
    expect(changedFields(old, current)).toEqual(['spec.__proto__.x', 'spec.constructor'])
  })
})

describe('the book of causes', () => {
  test('gives the causes of a key to the run that takes them, once', () => {
    const book = new CauseBook()
    book.add('a', { type: 'added' })
    book.add('a', { type: 'resync' })
    book.add('b', { type: 'again' })
    expect(book.take('a')).toEqual([{ type: 'added' }, { type: 'resync' }])
    expect(book.take('a')).toEqual([])
  })

  test('keeps the first ten of a storm', () => {
    const book = new CauseBook()
    for (let count = 0; count < 1000; count++) book.add('a', { type: 'resync' })
    expect(book.take('a')).toHaveLength(10)
  })
})
