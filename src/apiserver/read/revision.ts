import { abortReason, type Clock, throwIfAborted } from '../../base/index.js'
import { goQuote } from '../../schema/internal.js'
import { ApiFailure } from '../failure.js'
import type { Store } from '../store/store.js'
import { parseGoUint64 } from './go-integer.js'

/** How long a request waits for a version that the server does not have yet. */
const longestWaitMs = 3000

/** A resourceVersion parameter: empty and 0 are 0. `refuse` makes the failure of the server's words about another text. */
export function readRevision(text: string, refuse: (problem: string) => ApiFailure): bigint {
  if (text === '') return 0n
  const parsed = parseGoUint64(text)
  if ('value' in parsed) return parsed.value
  throw refuse(`resourceVersion: Invalid value: ${goQuote(text)}: ${parsed.problem}`)
}

/** The answer of gets and watches to a version that is none: the real server is not prepared for it. */
export function unpreparedFailure(message: string): ApiFailure {
  return new ApiFailure({ code: 500, reason: '', message })
}

/**
 * Resolves when the store has reached this revision. Rejects with the 504 of the real server after three seconds, and
 * with the signal's reason.
 */
export async function waitForRevision(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  revision: bigint,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (revision <= store.revision) return
  throwIfAborted(signal)
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      unsubscribe()
      timer.cancel()
      signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = (): void => {
      stop()
      reject(abortReason(signal))
    }
    const unsubscribe = store.subscribe({ after: store.revision }, (event) => {
      if (revision > event.revision) return
      stop()
      resolve()
    })
    const timer = clock.setTimer(longestWaitMs, () => {
      stop()
      reject(tooLarge(revision, store.revision))
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

function tooLarge(revision: bigint, current: number): ApiFailure {
  return new ApiFailure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${revision}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
}
