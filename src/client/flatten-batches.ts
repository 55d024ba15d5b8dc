/**
 * The items of batches, one by one, each read when it is asked for; what `read` makes nothing of is left out.
 *
 * An async generator would spend several turns of the promise queue on each item; this spends one, which is worth a
 * tenth of a busy watch. And what was read is garbage before the next is: a collector that finds nothing alive costs
 * next to nothing, which is worth a third of it. Calls of `next` are answered in their order; leaving the iteration ends
 * the batches, and so does a `read` that throws.
 */
export function flattenBatches<S, T>(
  batches: AsyncGenerator<readonly S[], void, undefined>,
  read: (item: S) => T | undefined,
): AsyncIterableIterator<T, void, undefined> {
  let batch: readonly S[] = []
  let next = 0
  let pulling = 0
  let last: Promise<unknown> = Promise.resolve()

  /** The next item of the batch at hand that says something. */
  const take = (): T | undefined => {
    while (next < batch.length) {
      // Below its length, so there is one.
      const item = read(batch[next++] as S)
      if (item !== undefined) return item
    }
    return undefined
  }
  const end = async (): Promise<void> => {
    batch = []
    await batches.return()
  }
  const pull = async (): Promise<IteratorResult<T, void>> => {
    try {
      for (;;) {
        const value = take()
        if (value !== undefined) return { done: false, value }
        const result = await batches.next()
        if (result.done === true) return { done: true, value: undefined }
        batch = result.value
        next = 0
      }
    } catch (error) {
      await end()
      throw error
    }
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      if (pulling === 0) {
        try {
          const value = take()
          if (value !== undefined) return Promise.resolve({ done: false, value })
        } catch (error) {
          return end().then(() => {
            throw error
          })
        }
      }
      pulling++
      const turn = last.then(pull).finally(() => {
        pulling--
      })
      last = turn.catch(() => {})
      return turn
    },
    async return() {
      await end()
      return { done: true, value: undefined }
    },
  }
}
