import { abortReason, throwIfAborted, toError } from '../../base/index.js'
import { resourceNameOf, type TransportResponse } from '../../objects/index.js'
import { ApiFailure, expired, internalError } from '../failure.js'
import type { AnswerTarget } from '../output/output.js'
import { partsResponse } from '../output/parts-response.js'
import type { StoredObject } from '../store/store.js'
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
}

/** Begins a watch. Rejects with ApiFailure for what the real server answers without a stream. */
export async function startWatch(parts: ReaderParts, call: WatchCall): Promise<TransportResponse> {
  const { request, options, target, encoder } = call
  const { resource, info, signal } = request
  const selection = selectionOf(request, info.namespace, options)
  const from = readRevision(options.resourceVersion, unpreparedFailure)
  const beginning = await beginningOf(parts, request, selection, { ...options, from })
  throwIfAborted(signal)
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
    onEnd: () => {
      for (const stop of stops) stop()
    },
  })
  const endWith = (ending: AbortSignal | undefined, end: () => void): void => {
    if (ending === undefined) return
    if (ending.aborted) end()
    else ending.addEventListener('abort', end, { once: true })
    stops.push(() => ending.removeEventListener('abort', end))
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
  endWith(parts.shutdown, () => stream.end())
  endWith(resource.retired, () => stream.end())
  endWith(signal, () => stream.fail(abortReason(signal)))
  return { status: 200, headers: { 'content-type': contentTypeOf(target) }, body: stream }
}

function contentTypeOf({ format: { mediaType } }: AnswerTarget): string {
  return mediaType === 'application/json' ? mediaType : `${mediaType};stream=watch`
}

/** A watch that ends as it begins. */
function shortResponse(target: AnswerTarget, events: readonly Buffer[]): TransportResponse {
  return partsResponse(200, contentTypeOf(target), events)
}

/** A failure is told within the stream. */
async function beginningOf(
  { store, nature }: ReaderParts,
  { resource, signal }: ReadRequest,
  selection: Selection,
  options: ListOptions & { readonly from: bigint },
): Promise<Beginning | ApiFailure> {
  const { from, sendInitialEvents, resourceVersion, allowWatchBookmarks } = options
  const isLegacyStart = sendInitialEvents === undefined && from === 0n
  if (sendInitialEvents === true || isLegacyStart) {
    try {
      await waitForRevision({ store, clock: nature.clock }, from, signal)
    } catch (error) {
      if (error instanceof ApiFailure) return error
      throw error
    }
    return {
      revision: store.revision,
      objects: [...store.scan(resourceNameOf(resource), { prefix: selection.prefix })],
      hasEndMark: sendInitialEvents === true && allowWatchBookmarks,
    }
  }
  const revision = from === 0n ? store.revision : Number(from)
  if (revision < store.oldestRevision)
    return expired(`too old resource version: ${resourceVersion} (${store.oldestRevision})`)
  return { revision, objects: [], hasEndMark: false }
}
