import { getOwn, isPlainObject, KubewrightError, parseJson, toError } from '../base/index.js'
import { type AnyKind, buildRequest, type KubeObject, parseStatus, watchQuery } from '../objects/index.js'
import { statusError } from './api-response.js'
import type { WatchOptions } from './call-options.js'
import type { ClientContext } from './client-context.js'
import { printable } from './config/printable.js'
import { flattenBatches } from './flatten-batches.js'
import { createLineSplitter, decodeUtf8 } from './line-splitter.js'
import { acceptFor, readObject } from './object-access.js'

/** One change, or the news that there was none up to a version. */
export type WatchEvent<TObject> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: TObject }
  | {
      readonly type: 'bookmark'
      /** Everything up to this version has been seen. */
      readonly resourceVersion: string
      /** The bookmark that ends the present objects of a watch with `sendInitialEvents`. */
      readonly initialEventsEnd: boolean
    }

/** A line of the watch cannot be read. The watch is over: what was in the line is lost, so read on from before it. */
export class WatchDecodeError extends KubewrightError {
  readonly request: string

  constructor(request: string, cause: unknown) {
    super(
      `${request}: a line of the stream cannot be read. Watch again from the last version, or list again.`,
      {
        code: 'KW_WATCH_DECODE',
        cause,
      },
    )
    this.request = request
  }
}

const bookmarkIdleTimeoutMs = 75_000

/**
 * The changes of a collection as they happen. Ends when the server ends the watch, which it does regularly; throws
 * `ApiError` for an ERROR event, {@link WatchDecodeError} for a line that cannot be read, and what the transport throws when
 * the connection breaks. Resuming is up to the caller. Leaving the iteration closes the connection.
 */
export function watchObjects<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  options: WatchOptions = {},
): AsyncIterableIterator<WatchEvent<T>, void, undefined> {
  return flattenBatches(watchBatches<T>(context, kind, options))
}

/** The events that arrived together, together. */
async function* watchBatches<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  options: WatchOptions,
): AsyncGenerator<readonly WatchEvent<T>[], void, undefined> {
  const { allowBookmarks = true } = options
  const idleTimeoutMs = options.idleTimeoutMs ?? (allowBookmarks ? bookmarkIdleTimeoutMs : 0)
  const request = buildRequest(
    'watch',
    { kind, namespace: options.namespace },
    {
      query: watchQuery({ ...options, allowBookmarks }),
      accept: acceptFor('object', options.metadataOnly),
    },
  )
  // Some proxies hold the headers back until the first event, so a quiet start is no worse than a quiet middle.
  const timeoutMs = options.timeoutMs ?? idleTimeoutMs
  const response = await context.caller.send(request, {
    ...options,
    timeoutMs,
    idleTimeoutMs,
    isStream: true,
  })
  const splitter = createLineSplitter()
  let events: WatchEvent<T>[] = []
  let failure: Error | undefined
  const onLine = (line: Uint8Array): void => {
    if (failure !== undefined) return
    try {
      const event = readEvent<T>(context, request.description, line)
      if (event !== undefined) events.push(event)
    } catch (error) {
      failure = toError(error)
    }
  }
  for await (const chunk of response.body) {
    try {
      splitter.push(chunk, onLine)
    } catch (error) {
      failure ??= new WatchDecodeError(request.description, error)
    }
    const ready = events
    events = []
    if (ready.length > 0) yield ready
    if (failure !== undefined) throw failure
  }
}

function readEvent<T extends KubeObject>(
  context: ClientContext,
  request: string,
  line: Uint8Array,
): WatchEvent<T> | undefined {
  let event: unknown
  try {
    event = parseJson(decodeUtf8(line))
  } catch (error) {
    throw new WatchDecodeError(request, error)
  }
  const type = isPlainObject(event) ? event['type'] : undefined
  const object = isPlainObject(event) ? event['object'] : undefined
  if (type === 'ERROR') throw statusError(request, parseStatus(object) ?? { kind: 'Status', code: 500 })
  const metadata = isPlainObject(object) ? object['metadata'] : undefined
  if (isPlainObject(metadata)) {
    switch (type) {
      case 'ADDED':
        return { type: 'added', object: readObject<T>(request, object) }
      case 'MODIFIED':
        return { type: 'modified', object: readObject<T>(request, object) }
      case 'DELETED':
        return { type: 'deleted', object: readObject<T>(request, object) }
      case 'BOOKMARK':
        return readBookmark(metadata)
      default:
    }
  }
  context.log.warn('A watch event of an unknown form was skipped.', {
    request,
    type: printable(String(type).slice(0, 100)),
    hasMetadata: isPlainObject(metadata),
  })
  return undefined
}

function readBookmark(metadata: Record<string, unknown>): WatchEvent<never> {
  const { resourceVersion, annotations } = metadata
  return {
    type: 'bookmark',
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    initialEventsEnd:
      isPlainObject(annotations) && getOwn(annotations, 'k8s.io/initial-events-end') === 'true',
  }
}
