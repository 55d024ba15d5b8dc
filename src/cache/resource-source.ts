import type { ListQuery } from './reflector-state.js'

/** A resource as the reflector needs it: bytes of lists and lines of watches. Fails with the client's errors. */
export interface ResourceSource {
  /** For log lines: `foos.example.com`, `foos.example.com in default`. */
  readonly description: string
  /** What its objects are. */
  readonly typeMeta: { readonly apiVersion: string; readonly kind: string }
  /** The bytes of one page. */
  list(query: ListQuery, signal: AbortSignal): Promise<Buffer>
  /** The lines of a watch, as many at a time as arrived together; none when it has been opened. Ends when the server ends it. */
  watch(query: WatchQuery, signal: AbortSignal): AsyncIterable<readonly Buffer[]>
}

export interface WatchQuery {
  readonly resourceVersion: string
  /** Ask for the current state first, closed by a bookmark (a streaming list). */
  readonly initialEvents: boolean
  readonly timeoutSeconds: number
  /** Silence after which the connection is taken for dead. */
  readonly idleTimeoutMs: number
}
