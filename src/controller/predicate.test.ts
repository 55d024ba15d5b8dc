import { expect, test } from 'vitest'
import { CachedObject } from '../cache/cached-object.js'
import {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  not,
  type ObjectEvent,
  resourceVersionChanged,
} from './predicate.js'

const object = (metadata: object) =>
  CachedObject.of({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '',
      generation: 1,
      ...metadata,
    },
  })
const update = (old: object, current: object): ObjectEvent<never> =>
  ({ type: 'update', old: object(old), object: object(current) }) as unknown as ObjectEvent<never>
const add = { type: 'add', object: object({}) } as unknown as ObjectEvent<never>

test('additions and deletions always pass', () => {
  for (const predicate of [
    generationChanged(),
    resourceVersionChanged(),
    labelsChanged(),
    annotationsChanged(),
  ]) {
    expect(predicate(add)).toBe(true)
  }
})

test('updates pass when what they are about has changed', () => {
  expect(generationChanged()(update({}, { generation: 2 }))).toBe(true)
  expect(generationChanged()(update({}, { resourceVersion: '2' }))).toBe(false)
  expect(resourceVersionChanged()(update({}, { resourceVersion: '2' }))).toBe(true)
  expect(resourceVersionChanged()(update({}, {}))).toBe(false)
  expect(labelsChanged()(update({ labels: { a: '1' } }, { labels: { a: '2' } }))).toBe(true)
  expect(labelsChanged()(update({ labels: { a: '1' } }, { labels: { a: '1' }, resourceVersion: '2' }))).toBe(
    false,
  )
  expect(annotationsChanged()(update({}, { annotations: { a: '1' } }))).toBe(true)
  expect(annotationsChanged()(update({}, { resourceVersion: '2' }))).toBe(false)
})

test('predicates combine', () => {
  const yes = () => true
  const no = () => false
  expect(allOf(yes, no)(add)).toBe(false)
  expect(anyOf(yes, no)(add)).toBe(true)
  expect(not(no)(add)).toBe(true)
})
