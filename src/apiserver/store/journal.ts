import type { StoreEvent } from './store.js'

/** Where a store writes its changes so that they survive the process. */
export interface Journal {
  /** Writes one change, before it happens in memory. Throws when that failed; then nothing of it is left. */
  append(event: StoreEvent): void
  /** Resolves when everything up to this revision is safe; rejects when that can no longer be said of it. */
  settled(revision: number): Promise<void>
  close(): Promise<void>
}
