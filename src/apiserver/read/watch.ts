import { abortReason, throwIfAborted, toError } from '../../base/index.js'
import { type TransportResponse } from '../../objects/index.js'
import { ApiFailure, expired, internalError } from '../failure.js'
import { checkStream } from '../output/negotiate.js'
import type { AnswerTarget } from '../output/output.js'
import { partsResponse } from '../output/parts-response.js'
import { storageNameOf } from '../resource.js'
import type { Store, StoredObject } from '../store/store.js'
import type { Endings } from './endings.js'
import type { EventEncoder } from './event-encoder.js'
import type { ListOptions } from './list-options.js'
import type { ReaderParts, ReadRequest, WatchBacklog } from './read-request.js'
import { readRevision, unpreparedFailure, waitForRevision } from './revision.js'
import { type Selection, selectionOf } from './selection.js'
import type { Versions } from './versioned.js'
import { WatchStream } from './watch-stream.js'
import { setWatchTimers } from './watch-timers.js'
import { type Source, Watcher } from './watcher.js'

const defaultBacklog: WatchBacklog = { events: 10_000, bytes: 64 * 2 ** 20 }

/** What a watch begins with. */
interface Beginning {
  /** Events after this revision follow. */
  readonly revision: number
  readonly objects: readonly StoredObject[]
  readonly hasEndMark: boolean
}

/** A watch that is about to begin. */
export interface WatchCall {
  readonly request: ReadRequest
  readonly options: ListOptions
  readonly target: AnswerTarget
  readonly versions: Versions
  /** Of all watches of this shape. */
  readonly encoder: EventEncoder
  readonly endings: Endings
}

/** Begins a watch. Rejects with ApiFailure for what the real server answers without a stream. */
export async function startWatch(parts: ReaderParts, call: WatchCall): Promise<TransportResponse> {
  const { request, options, target, encoder, endings } = call
  const { resource, info, signal } = request
  const selection = selectionOf(request, info.namespace, options)
  const from = readRevision(options.resourceVersion, unpreparedFailure)
  checkStream(target.format)
  const refusal = await refusalOf(parts, from, call)
  throwIfAborted(signal)
  // From here on nothing else runs before the watch stands: no change is lost between its beginning and what follows.
  const beginning = refusal ?? beginningOf(parts.store, selection, from, call)
  if (beginning instanceof ApiFailure) return shortResponse(target, [encoder.error(beginning)])
  // The real server finds out at the first event that it cannot make a list of it, and hangs up.
  if (target.format.transformation?.kind === 'PartialObjectMetadataList') return shortResponse(target, [])

  const watcher = new Watcher({ ...call, selection })
  const stops: (() => void)[] = []
  const stream = new WatchStream<Source>({
    backlog: { ...defaultBacklog, ...parts.watchBacklog },
    encode: (source) => watcher.encode(source),
    describe: (error) =>
      encoder.error(error instanceof ApiFailure ? error : internalError(toError(error).message)),
    onEnd: () => release(),
  })
  const release = (): void => {
    for (const stop of stops) stop()
  }
  for (const object of beginning.objects) stream.pushPast(object)
  if (beginning.hasEndMark) stream.pushPast({ markRevision: beginning.revision, isInitialEnd: true })
  stops.push(watcher.follow(parts.store, beginning.revision, stream))
  stops.push(
    setWatchTimers(parts.nature, {
      timeoutSeconds: options.timeoutSeconds,
      onDeadline: () => stream.end(),
      ...(options.allowWatchBookmarks && {
        onBookmark: () => {
          const { revision } = parts.store
          if (revision > beginning.revision) stream.push({ markRevision: revision, isInitialEnd: false })
        },
      }),
    }),
  )
  for (const ending of [parts.shutdown, resource.retired])
    stops.push(endings.when(ending, () => stream.end()))
  stops.push(endings.when(signal, () => stream.fail(abortReason(signal))))
  // One of them may have been over before.
  if (!stream.isOpen) release()
  return { status: 200, headers: { 'content-type': contentTypeOf(target) }, body: stream }
}

function contentTypeOf({ format: { mediaType } }: AnswerTarget): string {
  return mediaType === 'application/json' ? mediaType : `${mediaType};stream=watch`
}

/** A watch that ends as it begins. */
function shortResponse(target: AnswerTarget, events: readonly Buffer[]): TransportResponse {
  return partsResponse(200, contentTypeOf(target), events)
}

/** Whether the watch is to begin with what is there: asked for in so many words, or in the old way. */
function beginsWithState({ sendInitialEvents }: ListOptions, from: bigint): boolean {
  return sendInitialEvents === true || (sendInitialEvents === undefined && from === 0n)
}

/** Waits for the version that the state must have. A failure is told within the stream. */
async function refusalOf(
  { store, nature }: ReaderParts,
  from: bigint,
  { options, request }: WatchCall,
): Promise<ApiFailure | undefined> {
  if (!beginsWithState(options, from)) return undefined
  try {
    await waitForRevision({ store, clock: nature.clock }, from, request.signal)
    return undefined
  } catch (error) {
    if (error instanceof ApiFailure) return error
    throw error
  }
}

function beginningOf(
  store: Store,
  selection: Selection,
  from: bigint,
  { options, request }: WatchCall,
): Beginning | ApiFailure {
  if (beginsWithState(options, from)) {
    return {
      revision: store.revision,
      objects: [...store.scan(storageNameOf(request.resource), { prefix: selection.prefix })],
      hasEndMark: options.sendInitialEvents === true && options.allowWatchBookmarks,
    }
  }
  const revision = from === 0n ? store.revision : Number(from)
  const oldest = Math.max(store.oldestRevision, request.resource.watchesFrom ?? 0)
  if (revision < oldest) return expired(`too old resource version: ${from} (${oldest})`)
  return { revision, objects: [], hasEndMark: false }
}
