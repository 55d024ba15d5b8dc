/** Where a reflector is, and what it remembers of its server. */
export interface ReflectorState {
  readonly phase: ReflectorPhase
  /** How far the store is: the version of the last list, event or bookmark. Empty before the first list. */
  readonly resourceVersion: string
  /** The server does not have that version (any more, or yet): the next list asks for the newest data there is. */
  readonly versionLost: boolean
  /** A list of cached data came in pages before, so the server has no watch cache: keep asking for pages. */
  readonly paginated: boolean
  /** Streaming lists are not tried before this (monotonic) time: one of them failed. */
  readonly streamingListNotBeforeMs: number
  /** Whether this server sends bookmarks: silence is suspicious only where they are expected. Doubted after one silence. */
  readonly bookmarks: 'unknown' | 'doubted' | 'seen' | 'absent'
  /** Consecutive lists that found no such resource. */
  readonly missingLists: number
  /** Consecutive broken streams at the same version: the second one is answered by a list. */
  readonly brokenStreams: number
  /** Consecutive streaming lists that began and did not reach their end mark: the second one gives way to a plain list. */
  readonly unfinishedStreams: number
  /** A list was taken because the watch had lost its version, and the watch has brought nothing since. */
  readonly listedInVain: boolean
  /** Start of the current run of internal server errors, or undefined. */
  readonly internalErrorsSinceMs: number | undefined
}

export type ReflectorPhase =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'listing'; readonly query: ListQuery; readonly page: number }
  | { readonly kind: 'streaming-list' }
  /** `from` is where this watch began. */
  | { readonly kind: 'watching'; readonly from: string }
  /** A watch brought nothing; does the server still have our version? */
  | { readonly kind: 'probing' }
  | { readonly kind: 'waiting'; readonly next: 'list' | 'watch' }

export interface ListQuery {
  readonly resourceVersion: string
  /** Zero: everything at once. */
  readonly limit: number
  readonly continueToken?: string
}

/** Why a list or a watch failed, as far as the rules care. */
export type ReflectorFailure =
  | 'expired' // 410: the version is too old
  | 'too-large' // the server has not reached the version yet, or never will
  | 'throttled' // 429
  | 'unreachable' // no connection: refused, reset
  | 'unanswered' // a connection, and no answer on it in time
  | 'missing' // 404: no such resource, as when its CRD is gone
  | 'internal' // 500 as an event of a running watch
  | 'store-read' // 500 because an object cannot be read from storage
  | 'undecodable' // the stream is not what a watch sends
  | 'stalled' // nothing came for longer than it should
  | 'rejected' // any other answer: 400, 401, 403, 422, 5xx

export type ReflectorInput =
  | { readonly type: 'start' }
  | { readonly type: 'waited' }
  | { readonly type: 'page'; readonly resourceVersion: string; readonly continueToken?: string }
  | { readonly type: 'list-failed'; readonly failure: ReflectorFailure }
  | { readonly type: 'object'; readonly resourceVersion: string }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  /** The server has the version that was asked about. */
  | { readonly type: 'probed' }
  | { readonly type: 'watch-ended'; readonly lastedMs: number; readonly events: number }
  | { readonly type: 'watch-failed'; readonly failure: ReflectorFailure; readonly events: number }

export type ReflectorEffect =
  /** Fetch a page; its objects join the snapshot. */
  | { readonly type: 'list'; readonly query: ListQuery }
  /** Open a stream of initial events; its objects join the snapshot until it is committed. */
  | { readonly type: 'stream-list'; readonly resourceVersion: string }
  /** Open a watch; its events go to the store. */
  | { readonly type: 'watch'; readonly resourceVersion: string; readonly expectBookmarks: boolean }
  /** Ask for one object not older than the version: enough to learn whether the server has it. */
  | { readonly type: 'probe'; readonly resourceVersion: string }
  | { readonly type: 'wait'; readonly failure: ReflectorFailure | 'short-watch' }
  /** The snapshot is complete: the store becomes it. */
  | { readonly type: 'commit'; readonly resourceVersion: string }
  /** The snapshot is incomplete: forget it. */
  | { readonly type: 'discard' }
  /** The resource does not exist: what the store holds of it is gone. */
  | { readonly type: 'clear' }
  /** The server's history went back (restored from a backup): what was remembered by version is void. */
  | { readonly type: 'history-went-back'; readonly from: string; readonly to: string }

/** Times and sizes of the rules. */
export interface ReflectorRules {
  readonly streamingList: boolean
  readonly pageSize: number
  /** How long plain lists are used after a streaming list failed. */
  readonly streamingListPauseMs: number
  /** A watch shorter than this that brought nothing new is a failure in disguise. */
  readonly shortWatchMs: number
  /** A watch that was silent for this long may be one of a version that the server will only reach again in years. */
  readonly silentWatchMs: number
  /** How long internal errors of a watch are answered by watching again before listing again. */
  readonly internalErrorWindowMs: number
}

export const defaultReflectorRules: ReflectorRules = {
  streamingList: true,
  pageSize: 500,
  streamingListPauseMs: 3_600_000,
  shortWatchMs: 1_000,
  silentWatchMs: 60_000,
  internalErrorWindowMs: 30_000,
}

export const initialReflectorState: ReflectorState = {
  phase: { kind: 'stopped' },
  resourceVersion: '',
  versionLost: false,
  paginated: false,
  streamingListNotBeforeMs: Number.NEGATIVE_INFINITY,
  bookmarks: 'unknown',
  missingLists: 0,
  brokenStreams: 0,
  unfinishedStreams: 0,
  listedInVain: false,
  internalErrorsSinceMs: undefined,
}
