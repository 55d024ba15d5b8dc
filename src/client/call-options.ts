import type {
  DeleteParameters,
  ListParameters,
  SelectionParameters,
  WatchParameters,
  WriteParameters,
} from '../objects/index.js'

/** What every call takes. */
export interface CallOptions {
  /** Aborting ends the call, and the waiting between its tries, at once. */
  readonly signal?: AbortSignal | undefined
  /** Longest silence of the server in one try: 30 seconds for a read, 65 for a write. */
  readonly timeoutMs?: number | undefined
  /** How often the request is tried when the server says "later" (Retry-After), the first time included: 10. */
  readonly maxTries?: number | undefined
}

/** `true` asks the server for metadata alone: cheap to send, to parse and to keep. */
export interface MetadataOption<M extends boolean> {
  readonly metadataOnly?: M | undefined
}

/** Options of `get`. */
export interface GetOptions<M extends boolean = boolean> extends CallOptions, MetadataOption<M> {
  /** `"0"`: whatever the server has in memory, which may be old. Absent: the newest. */
  readonly resourceVersion?: string | undefined
}

/** Options of `list`. */
export interface ListOptions<M extends boolean = boolean>
  extends CallOptions,
    ListParameters,
    MetadataOption<M> {
  /** Only this namespace. Absent: all of them. */
  readonly namespace?: string | undefined
}

/** Options of `listAll` and `pages`. */
export interface PagesOptions<M extends boolean = boolean>
  extends Omit<ListOptions<M>, 'limit' | 'continue'> {
  /** Objects in one page: 500. */
  readonly pageSize?: number | undefined
}

/** Options of `watch`. */
export interface WatchOptions<M extends boolean = boolean>
  extends CallOptions,
    WatchParameters,
    MetadataOption<M> {
  /** Only this namespace. Absent: all of them. */
  readonly namespace?: string | undefined
  /** Ask for bookmarks: on unless `false`. */
  readonly allowBookmarks?: boolean | undefined
  /**
   * Longest silence before the watch fails with `KW_IDLE_TIMEOUT`. 75 seconds where bookmarks are on, as they come about
   * each minute; no limit where they are off. Zero: no limit.
   */
  readonly idleTimeoutMs?: number | undefined
}

/** Options of `create`, `update` and `patch`. */
export interface WriteOptions extends CallOptions, WriteParameters {}

/** Options of `apply`. */
export interface ApplyOptions extends WriteOptions {
  /** Take over fields that others own. */
  readonly force?: boolean | undefined
}

/** Options of `delete`. */
export interface DeleteOptions extends CallOptions, DeleteParameters {}

/** Options of `deleteCollection`. */
export interface DeleteCollectionOptions
  extends CallOptions,
    SelectionParameters,
    Omit<DeleteParameters, 'preconditions'> {
  /** Required where the kind is namespaced. */
  readonly namespace?: string | undefined
}
