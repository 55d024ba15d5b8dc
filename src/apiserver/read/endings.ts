/**
 * Tells many of the end of a few signals. A signal with a listener for each of a thousand watches is slow, and Node takes
 * it for a leak; here each signal has one.
 */
export class Endings {
  readonly #listeners = new WeakMap<AbortSignal, Set<() => void>>()

  /** Calls back when the signal aborts, at once if it has. Returns the function that ends it. */
  when(signal: AbortSignal | undefined, listener: () => void): () => void {
    if (signal === undefined) return () => {}
    if (signal.aborted) {
      listener()
      return () => {}
    }
    const listeners = this.#of(signal)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #of(signal: AbortSignal): Set<() => void> {
    const known = this.#listeners.get(signal)
    if (known !== undefined) return known
    const listeners = new Set<() => void>()
    this.#listeners.set(signal, listeners)
    signal.addEventListener('abort', () => listeners.forEach((listener) => listener()), { once: true })
    return listeners
  }
}
