/**
 * A key that was handed out. Until `done` is called nobody else gets the key, so two workers never run the same one.
 */
export interface Lease<K> {
  readonly key: K
  /** The priority it was handed out at: pass it on when the key is added again because its run failed. */
  readonly priority: number
  /**
   * Gives the key back; if it was added meanwhile, it is ready at once. A second call does nothing, not even when the
   * key has a new holder by then. Needs no `this`.
   */
  readonly done: () => void
}

/**
 * Leases, one after the other, each of them held exactly as long as the body of the loop runs: the next round, a
 * `break` and a throw all give the key back.
 */
export async function* takeLeases<K>(
  get: () => Promise<Lease<K> | undefined>,
): AsyncGenerator<Lease<K>, void, undefined> {
  for (let lease = await get(); lease !== undefined; lease = await get()) {
    try {
      yield lease
    } finally {
      lease.done()
    }
  }
}
