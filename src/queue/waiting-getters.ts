/** Those who asked for something that is not there yet, in the order in which they asked. */
export interface WaitingGetters<T> {
  readonly size: number
  /** Joins the end of the line. Undefined once the signal aborts, or when all are dismissed. */
  wait(signal: AbortSignal | undefined): Promise<T | undefined>
  /** Gives the value to the one who has waited longest. To be called only while somebody waits. */
  serve(value: T): void
  /** Sends everybody away with undefined. */
  dismiss(): void
}

interface Getter<T> {
  readonly signal: AbortSignal | undefined
  resolve(value: T | undefined): void
}

/** An empty line. A getter whose signal aborts has left it at once, so it cannot be served and nothing is lost with it. */
export function createWaitingGetters<T>(): WaitingGetters<T> {
  // A Set is a line that one can leave in the middle: it keeps the order of joining.
  const line = new Set<Getter<T>>()

  // Fifty idle workers share one signal, and from the eleventh listener on Node warns of a leak: one listener each signal.
  const listeners = new Map<AbortSignal, { getters: number; onAbort: () => void }>()

  const leave = (getter: Getter<T>, value: T | undefined): void => {
    line.delete(getter)
    if (getter.signal !== undefined) unlisten(getter.signal)
    getter.resolve(value)
  }

  const listen = (signal: AbortSignal): void => {
    const listener = listeners.get(signal)
    if (listener !== undefined) {
      listener.getters++
      return
    }
    const onAbort = (): void => {
      for (const getter of line) if (getter.signal === signal) leave(getter, undefined)
    }
    listeners.set(signal, { getters: 1, onAbort })
    signal.addEventListener('abort', onAbort, { once: true })
  }

  const unlisten = (signal: AbortSignal): void => {
    const listener = listeners.get(signal)
    if (listener === undefined || --listener.getters > 0) return
    listeners.delete(signal)
    signal.removeEventListener('abort', listener.onAbort)
  }

  return {
    get size() {
      return line.size
    },
    wait: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve(undefined)
        if (signal !== undefined) listen(signal)
        line.add({ signal, resolve })
      }),
    serve(value) {
      const [first] = line
      if (first !== undefined) leave(first, value)
    },
    dismiss() {
      for (const getter of line) leave(getter, undefined)
    },
  }
}
