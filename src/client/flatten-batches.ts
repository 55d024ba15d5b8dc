/**
 * The items of batches, one by one. An async generator would spend several turns of the promise queue on each item; this
 * spends one, which is worth a tenth of a busy watch. Calls of `next` are answered in their order; leaving the iteration
 * ends the batches.
 */
export function flattenBatches<T>(
  batches: AsyncGenerator<readonly T[], void, undefined>,
): AsyncIterableIterator<T, void, undefined> {
  let batch: readonly T[] = []
  let next = 0
  let pulling = 0
  let last: Promise<unknown> = Promise.resolve()

  const pull = async (): Promise<IteratorResult<T, void>> => {
    while (next >= batch.length) {
      const result = await batches.next()
      if (result.done === true) return { done: true, value: undefined }
      batch = result.value
      next = 0
    }
    return take()
  }
  // Only called where there is an item.
  const take = (): IteratorResult<T, void> => ({ done: false, value: batch[next++] as T })

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      if (pulling === 0 && next < batch.length) return Promise.resolve(take())
      pulling++
      const turn = last.then(pull).finally(() => {
        pulling--
      })
      last = turn.catch(() => {})
      return turn
    },
    async return() {
      batch = []
      await batches.return()
      return { done: true, value: undefined }
    },
  }
}
