import { KubewrightError } from '../base/index.js'

/** What a reconcile says when it is done: nothing more to do, or look again later. */
export type Outcome = { readonly kind: 'settled' } | { readonly kind: 'again'; readonly afterMs: number }

/** A reconcile asked to be run again after something that is not a delay. */
export class InvalidOutcomeError extends KubewrightError {
  constructor(message: string) {
    super(message, { code: 'KW_INVALID_OUTCOME' })
  }
}

const settledOutcome: Outcome = { kind: 'settled' }

/** Nothing more to do until something changes. */
export function settled(): Outcome {
  return settledOutcome
}

/** Run again after `afterMs` even if nothing changes. Any length; throws {@link InvalidOutcomeError} for no number. */
export function again(options: { readonly afterMs: number }): Outcome {
  const { afterMs } = options
  if (typeof afterMs !== 'number' || !Number.isFinite(afterMs) || afterMs < 0) {
    throw new InvalidOutcomeError(
      `again({ afterMs: ${JSON.stringify(afterMs) ?? String(afterMs)} }) is not a delay: give a finite number of milliseconds, zero or more.`,
    )
  }
  return { kind: 'again', afterMs }
}

/** The outcome that a reconcile returned, checked: plain JavaScript may return anything. */
export function checkOutcome(returned: unknown): Outcome {
  if (returned === undefined) return settledOutcome
  if (typeof returned === 'object' && returned !== null && 'kind' in returned) {
    if (returned.kind === 'settled') return settledOutcome
    // The value is checked again by the constructor that a well-behaved reconcile has used.
    if (returned.kind === 'again' && 'afterMs' in returned) return again(returned as { afterMs: number })
  }
  throw new InvalidOutcomeError('A reconcile must return settled() or again({ afterMs }), or nothing.')
}
