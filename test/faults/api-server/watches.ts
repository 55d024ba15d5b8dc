import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../../../src/base/index.js'
import { type Answer, expired, json, type StatusBody, statusBody, tooLarge } from './answers.js'
import { hasLabel } from './lists.js'
import type { ObjectStore, StoredObject, StoreEvent } from './object-store.js'
import type { PeerRequest } from './request.js'

/** How this front end watches. */
export interface WatchSwitches {
  /**
   * What becomes of `sendInitialEvents`: done as it should be; refused; not understood (an old server); sent without
   * the end mark, with the mark when the test says so, or with a mark of the wrong value.
   */
  initialEvents:
    | 'honoured'
    | 'refused-400'
    | 'refused-422'
    | 'ignored'
    | 'never-marked'
    | 'late-mark'
    | 'false-mark'
  /** What becomes of a version that was compacted: the server's own way, or that of some proxies. */
  expiredAs: 'error-event' | 'http-410'
  /** What becomes of a version that is still to come: nothing, as in kube-apiserver, or an error. */
  futureAs: 'silence' | 'error-event'
  /** A bookmark each minute, where the version has moved since the watch began. */
  bookmarks: boolean
  /** Open watches get no events; they are sent when this is switched off. A lagging watch cache. */
  held: boolean
}

/** A watch that is open, in the hands of the test. */
export interface OpenWatch {
  readonly request: PeerRequest
  readonly isOpen: boolean
  /** Any bytes, as they are. */
  write(bytes: string | Buffer): void
  /** One line. */
  event(type: string, object: unknown): void
  /** At the present revision, or at a version of the test's choosing; may close the initial events. */
  bookmark(options?: { version?: string; annotations?: Record<string, string> }): void
  /** The ERROR event with this Status; the server ends the watch behind it. */
  error(status: StatusBody): void
  /** The end of the stream, as at the server's time limit. */
  end(): void
}

export interface WatchHall {
  readonly open: OpenWatch[]
  answer(request: PeerRequest): Answer
  /** Sends what was held back. */
  flush(): void
}

export const endMark: Record<string, string> = { 'k8s.io/initial-events-end': 'true' }

const bookmarkPeriodMs = 60_000

export function createWatchHall(store: ObjectStore, switches: WatchSwitches, clock: Clock): WatchHall {
  /** Ends the watch at its time limit, and keeps it alive until then. */
  const keepTime = (watch: Watch): void => {
    const limitMs = Number(watch.request.query['timeoutSeconds'] ?? 1_800) * 1_000
    const options = { background: true }
    const timers = new Set<Timer>([clock.setTimer(limitMs, () => watch.end(), options)])
    const tick = (): void => {
      if (switches.bookmarks && !switches.held) watch.beat()
      timers.add(clock.setTimer(bookmarkPeriodMs, tick, options))
    }
    timers.add(clock.setTimer(bookmarkPeriodMs, tick, options))
    watch.onClose(() => {
      for (const timer of timers) timer.cancel()
    })
  }
  const watches = new Set<Watch>()
  store.listen((event) => {
    for (const watch of watches) if (!switches.held) watch.follow(event)
  })
  return {
    get open() {
      return [...watches]
    },
    flush() {
      for (const watch of watches) watch.catchUp()
    },
    answer(request) {
      const { query } = request
      const wantsInitialEvents = query['sendInitialEvents'] === 'true'
      if (wantsInitialEvents && switches.initialEvents === 'refused-400')
        return json(400, statusBody(400, 'BadRequest'))
      if (wantsInitialEvents && switches.initialEvents === 'refused-422')
        return json(422, statusBody(422, 'Invalid'))
      const isStreaming = wantsInitialEvents && switches.initialEvents !== 'ignored'
      const version = query['resourceVersion'] ?? ''
      const revision = version === '' || version === '0' ? undefined : store.revisionOf(version)
      const isExpired = !isStreaming && revision !== undefined && revision < store.compactedRevision
      if (isExpired && switches.expiredAs === 'http-410') return json(410, expired)
      return (response) => {
        const watch = new Watch(store, request, response)
        watches.add(watch)
        watch.onClose(() => watches.delete(watch))
        keepTime(watch)
        if (isExpired) return watch.error(expired)
        if (revision !== undefined && revision > store.revision) {
          // A list that must not be older than that version waits for it in vain, whatever plain watches do.
          if (isStreaming || switches.futureAs === 'error-event') watch.error(tooLarge)
          else watch.begin(revision)
          return
        }
        if (revision !== undefined && !isStreaming) {
          watch.begin(revision)
          if (!switches.held) watch.catchUp()
          return
        }
        watch.sendAll()
        if (switches.initialEvents === 'honoured' && isStreaming) watch.bookmark({ annotations: endMark })
        if (switches.initialEvents === 'false-mark' && isStreaming)
          watch.bookmark({ annotations: { 'k8s.io/initial-events-end': 'false' } })
      }
    },
  }
}

class Watch implements OpenWatch {
  readonly request: PeerRequest
  readonly #store: ObjectStore
  readonly #response: ServerResponse
  /** Everything up to this revision has been sent. */
  #sent = 0
  /** Where the watch began. */
  #from = 0

  constructor(store: ObjectStore, request: PeerRequest, response: ServerResponse) {
    this.#store = store
    this.request = request
    this.#response = response
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
  }

  get isOpen(): boolean {
    return !this.#response.closed
  }

  onClose(callback: () => void): void {
    this.#response.on('close', callback)
  }

  /** The periodic bookmark. As in kube-apiserver, it only ever tells of versions beyond the one that was asked for. */
  beat(): void {
    const { query } = this.request
    const { revision } = this.#store
    if (query['allowWatchBookmarks'] !== 'true' || revision <= this.#from) return
    this.#sent = revision
    this.bookmark()
  }

  begin(revision: number): void {
    this.#from = revision
    this.#sent = revision
  }

  /** The present objects, as initial or synthetic events. */
  sendAll(): void {
    for (const object of this.#store.objects(this.request.plural)) this.#send('ADDED', object)
    this.#sent = this.#store.revision
  }

  catchUp(): void {
    for (const event of this.#store.eventsAfter(this.request.plural, this.#sent)) this.follow(event)
  }

  follow(event: StoreEvent): void {
    if (event.plural !== this.request.plural || event.revision <= this.#sent) return
    this.#sent = event.revision
    this.#send(event.type, event.object)
  }

  write(bytes: string | Buffer): void {
    this.#response.write(bytes)
  }

  event(type: string, object: unknown): void {
    this.write(`${JSON.stringify({ type, object })}\n`)
  }

  bookmark({ version, annotations }: { version?: string; annotations?: Record<string, string> } = {}): void {
    const { kind, apiVersion } = this.#store.typeOf(this.request.plural) ?? {}
    const resourceVersion = version ?? this.#store.versionAt(this.#store.revision)
    this.event('BOOKMARK', {
      kind,
      apiVersion,
      metadata: { resourceVersion, ...(annotations && { annotations }) },
    })
  }

  error(status: StatusBody): void {
    this.event('ERROR', status)
    this.end()
  }

  end(): void {
    this.#response.end()
  }

  #send(type: string, object: StoredObject): void {
    const { namespace, query } = this.request
    if (namespace !== undefined && object.metadata.namespace !== namespace) return
    if (hasLabel(object.metadata.labels, query['labelSelector'])) this.event(type, object)
  }
}
