import { getOwn, isPlainObject, KubewrightError } from '../base/index.js'
import {
  type AnyKind,
  type ApiRequest,
  buildRequest,
  type KubeObject,
  parseStatus,
  watchQuery,
} from '../objects/index.js'
import { statusError } from './api-response.js'
import type { WatchOptions } from './call-options.js'
import type { ClientContext } from './client-context.js'
import { printable } from './config/printable.js'
import { flattenBatches } from './flatten-batches.js'
import { createLineSplitter, decodeUtf8 } from './line-splitter.js'
import { acceptFor, readObject } from './object-access.js'
import { createFieldSharingParser } from './shared-fields.js'

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
  const request = watchRequest(kind, options)
  const parse = createFieldSharingParser()
  return flattenBatches(watchLines(context, request, options), (line) =>
    readEvent<T>(context, request.description, () => parse(decodeUtf8(line))),
  )
}

function watchRequest(kind: AnyKind, options: WatchOptions): ApiRequest {
  return buildRequest(
    'watch',
    { kind, namespace: options.namespace },
    {
      query: watchQuery({ ...options, allowBookmarks: options.allowBookmarks ?? true }),
      accept: acceptFor('object', options.metadataOnly),
    },
  )
}

/** The lines that arrived together, together. */
async function* watchLines(
  context: ClientContext,
  request: ApiRequest,
  options: WatchOptions,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  const hasBookmarks = options.allowBookmarks ?? true
  const idleTimeoutMs = options.idleTimeoutMs ?? (hasBookmarks ? bookmarkIdleTimeoutMs : 0)
  // Some proxies hold the headers back until the first event, so a quiet start is no worse than a quiet middle.
  const timeoutMs = options.timeoutMs ?? idleTimeoutMs
  const response = await context.caller.send(request, {
    ...options,
    timeoutMs,
    idleTimeoutMs,
    isStream: true,
  })
  const splitter = createLineSplitter()
  let lines: Uint8Array[] = []
  const onLine = (line: Uint8Array): void => void lines.push(line)
  for await (const chunk of response.body) {
    let failure: Error | undefined
    try {
      splitter.push(chunk, onLine)
    } catch (error) {
      failure = new WatchDecodeError(request.description, error)
    }
    const ready = lines
    lines = []
    if (ready.length > 0) yield ready
    if (failure !== undefined) throw failure
  }
}

function readEvent<T extends KubeObject>(
  context: ClientContext,
  request: string,
  parseLine: () => unknown,
): WatchEvent<T> | undefined {
  let event: unknown
  try {
    event = parseLine()
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
