import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countIndexes, overlapOf } from './index-list.js'

/** Ordered and without neighbours, as the server writes them. */
function written(indexes: readonly number[]): string {
  const runs: [number, number][] = []
  for (const index of [...new Set(indexes)].toSorted((left, right) => left - right)) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === index - 1) last[1] = index
    else runs.push([index, index])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

const indexes = fc.array(fc.integer({ min: 0, max: 50 }))

test('every index of a list is counted once', () => {
  fc.assert(
    fc.property(indexes, (given) => {
      expect(countIndexes(written(given), 51)).toBe(new Set(given).size)
    }),
  )
})

test('the first index that is in both lists is found', () => {
  fc.assert(
    fc.property(indexes, indexes, (done, failed) => {
      const both = done.filter((index) => failed.includes(index))
      const expected = both.length === 0 ? undefined : Math.min(...both)
      expect(overlapOf(written(done), written(failed), 51)).toBe(expected)
    }),
  )
})

test.each([
  ['a', 'cannot convert string to integer for index: "a"'],
  ['7', 'too large index: "7"'],
  ['3-1', 'non-increasing order, previous: 3, current: 1'],
  ['1,1', 'non-increasing order, previous: 1, current: 1'],
])('the list %s is refused', (list, problem) => {
  expect(countIndexes(list, 5)).toEqual({ problem })
})
