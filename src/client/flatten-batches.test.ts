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

test('items come one by one, in order, over empty batches', async () => {
  const seen: number[] = []
  for await (const item of flattenBatches(batchesOf([1, 2], [], [3]))) seen.push(item)
  expect(seen).toEqual([1, 2, 3])
})

test('a failure comes behind the items before it', async () => {
  const items = flattenBatches(batchesOf([1, 2], new Error('broken')))
  expect(await items.next()).toEqual({ done: false, value: 1 })
  expect(await items.next()).toEqual({ done: false, value: 2 })
  await expect(items.next()).rejects.toThrow('broken')
})

test('calls that do not wait for each other are answered in their order', async () => {
  const items = flattenBatches(batchesOf([1], [2, 3], [4]))
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
  for await (const item of flattenBatches(endless())) if (item === 2) break
  expect(ended).toBe(true)
})
