import { expect, test } from 'vitest'
import { flattenBatches } from './flatten-batches.js'

async function* batchesOf(
  ...batches: readonly (readonly number[] | Error)[]
): AsyncGenerator<readonly number[], void> {
  for (const batch of batches) {
    if (batch instanceof Error) throw batch
    yield batch
  }
}

const same = (item: number): number => item

test('items come one by one, in order, over empty batches', async () => {
  const seen: number[] = []
  for await (const item of flattenBatches(batchesOf([1, 2], [], [3]), same)) seen.push(item)
  expect(seen).toEqual([1, 2, 3])
})

test('a failure comes behind the items before it', async () => {
  const items = flattenBatches(batchesOf([1, 2], new Error('broken')), same)
  expect(await items.next()).toEqual({ done: false, value: 1 })
  expect(await items.next()).toEqual({ done: false, value: 2 })
  await expect(items.next()).rejects.toThrow('broken')
})

test('calls that do not wait for each other are answered in their order', async () => {
  const items = flattenBatches(batchesOf([1], [2, 3], [4]), same)
  const results = await Promise.all(Array.from({ length: 5 }, () => items.next()))
  expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, undefined])
})

test('leaving the iteration ends the batches', async () => {
  let ended = false
  async function* endless(): AsyncGenerator<readonly number[], void> {
    try {
      for (;;) yield [1, 2, 3]
    } finally {
      ended = true
    }
  }
  for await (const item of flattenBatches(endless(), same)) if (item === 2) break
  expect(ended).toBe(true)
})

test('an item is read when it is asked for, and left out when it says nothing', async () => {
  const read: number[] = []
  const items = flattenBatches(batchesOf([1, 2, 3, 4], [5, 6]), (item) => {
    read.push(item)
    return item % 2 === 0 ? item : undefined
  })
  expect(await items.next()).toEqual({ done: false, value: 2 })
  expect(read).toEqual([1, 2])
  expect(await items.next()).toEqual({ done: false, value: 4 })
  expect(await items.next()).toEqual({ done: false, value: 6 })
  expect(await items.next()).toEqual({ done: true, value: undefined })
})

test.each([[1], [3]])('item %d that cannot be read ends everything', async (bad) => {
  let ended = false
  async function* batches(): AsyncGenerator<readonly number[], void> {
    try {
      yield [0, 1]
      yield [2, 3]
      yield [4, 5]
    } finally {
      ended = true
    }
  }
  const items = flattenBatches(batches(), (item) => {
    if (item === bad) throw new Error(`cannot read ${item}`)
    return item
  })
  for (let good = 0; good < bad; good++) expect(await items.next()).toEqual({ done: false, value: good })
  await expect(items.next()).rejects.toThrow(`cannot read ${bad}`)
  expect(ended).toBe(true)
  expect(await items.next()).toEqual({ done: true, value: undefined })
})
