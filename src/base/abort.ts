import { KubewrightError, toError } from './errors.js'

/** Thrown when work was cancelled through its AbortSignal and the signal carried no reason of its own. */
export class AbortedError extends KubewrightError {
  constructor(cause?: unknown) {
    super('The operation was aborted by its signal.', { code: 'KW_ABORTED', cause })
  }
}

/** The error to throw for an aborted signal: its own reason where that is an Error. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  // The default reason of AbortController is a DOMException without facts or stack: ours has a code.
  if (reason === undefined || (reason instanceof DOMException && reason.name === 'AbortError')) {
    return new AbortedError(reason)
  }
  return toError(reason)
}

/** Throws the signal's reason if it has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortReason(signal)
}

/** The promise's outcome, or the signal's reason if that comes first. The promise itself goes on. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    // Subscribed even when the signal won already: a later failure of the promise would be an unhandled rejection.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
