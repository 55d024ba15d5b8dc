import type { Clock } from '../../base/index.js'

/** Answers that hold for a while. Asked twice at once, a question is put once. Failures are not remembered. */
export interface ExpiringCache<T> {
  get(key: string, find: () => Promise<T>): Promise<T>
}

export function createExpiringCache<T>(options: {
  readonly clock: Clock
  /** How long an answer holds. */
  readonly ttlMs: (value: T) => number
  readonly maxEntries: number
}): ExpiringCache<T> {
  const { clock, ttlMs, maxEntries } = options
  const entries = new Map<string, { readonly value: T; readonly untilMs: number }>()
  const asked = new Map<string, Promise<T>>()

  const remember = (key: string, value: T): T => {
    entries.delete(key)
    // The oldest goes first; which one matters little, as long as strangers cannot fill the memory.
    for (const oldest of entries.keys()) {
      if (entries.size < maxEntries) break
      entries.delete(oldest)
    }
    entries.set(key, { value, untilMs: clock.monotonic() + ttlMs(value) })
    return value
  }
  return {
    get(key, find) {
      const known = entries.get(key)
      if (known !== undefined && clock.monotonic() < known.untilMs) return Promise.resolve(known.value)
      const pending =
        asked.get(key) ??
        find()
          .then((value) => remember(key, value))
          .finally(() => asked.delete(key))
      asked.set(key, pending)
      return pending
    },
  }
}
