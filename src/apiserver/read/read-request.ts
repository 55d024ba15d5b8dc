import type { Nature } from '../cluster-state.js'
import type { Served } from '../output/answer-kind.js'
import type { OutputRequest } from '../output/negotiate.js'
import type { Output } from '../output/output.js'
import type { ProtobufCodec } from '../output/protobuf-codec.js'
import type { RequestInfo } from '../request/request-info.js'
import type { Store } from '../store/store.js'

/** What reads are done with. */
export interface ReaderParts {
  readonly store: Store
  readonly nature: Nature
  readonly output: Output
  /** The same that the output has. */
  readonly protobuf?: ProtobufCodec
  /** Aborts when the server stops: every watch ends. */
  readonly shutdown?: AbortSignal
  /** How much waits for one watcher that does not read before its watch is ended. */
  readonly watchBacklog?: Partial<WatchBacklog>
}

export interface WatchBacklog {
  readonly events: number
  readonly bytes: number
}

/** A get, a list or a watch that is authorised. */
export interface ReadRequest extends Served, OutputRequest {
  readonly info: RequestInfo
  readonly signal?: AbortSignal
}
