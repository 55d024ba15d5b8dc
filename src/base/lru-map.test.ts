import { expect, test } from 'vitest'
import { LruMap } from './lru-map.js'

test('a full map forgets what was not used for longest', () => {
  const map = new LruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect(map.get('b')).toBeUndefined()
  expect([map.get('a'), map.get('c'), map.size]).toEqual([1, 3, 2])
})

test('setting a key again replaces its value and makes it the newest', () => {
  const map = new LruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect([map.get('a'), map.get('b')]).toEqual([3, undefined])
  map.delete('a')
  expect(map.size).toBe(1)
})
