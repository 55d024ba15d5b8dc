/**
 * The order in which parts start. Stopping goes the other way round.
 *
 * - `http`: health and metrics servers. First, so that a slow start can be watched.
 * - `webhook`: before the caches, because the first list of a kind may need its own conversion webhook.
 * - `cache`
 * - `other`: what runs in every replica.
 * - `warm-up`: what fills up before this replica leads.
 * - `leader`: what only one replica may do.
 */
export const phases = ['http', 'webhook', 'cache', 'other', 'warm-up', 'leader'] as const

export type Phase = (typeof phases)[number]

/** A part of the process with a life of its own. */
export interface Runnable {
  /** For errors and log lines. */
  readonly name: string
  readonly phase: Phase
  /**
   * Works until the signal aborts, and resolves once it has really stopped. May end earlier: its work is done then. A
   * rejection stops the whole manager, unless the signal has aborted before.
   */
  run(signal: AbortSignal): Promise<void>
  /**
   * Resolves when the next phase may begin; at once where there is no such method. A rejection fails the start. The signal
   * aborts when nobody waits any more.
   */
  ready?(signal: AbortSignal): Promise<void>
}
