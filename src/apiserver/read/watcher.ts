import { storageNameOf } from '../resource.js'
import type { Store, StoredObject, StoreEvent } from '../store/store.js'
import type { EventEncoder, WatchEventType } from './event-encoder.js'
import type { ReadRequest } from './read-request.js'
import type { Selection } from './selection.js'
import type { Versioned, Versions } from './versioned.js'
import type { Sendable, WatchStream } from './watch-stream.js'

/** A bookmark. */
export interface Mark {
  readonly markRevision: number
  readonly isInitialEnd: boolean
}

/** What becomes an event of a watch: an object to begin with, a change, a bookmark. */
export type Source = StoredObject | StoreEvent | Mark

interface WatcherParts {
  readonly versions: Versions
  readonly request: ReadRequest
  readonly selection: Selection
  readonly encoder: EventEncoder
}

/** One who watches: which changes concern it, and what they look like to it. */
export class Watcher {
  readonly #parts: WatcherParts
  #isFirst = true

  constructor(parts: WatcherParts) {
    this.#parts = parts
  }

  /** Sends what happens after this revision. Returns the function that ends it. */
  follow(store: Store, after: number, stream: WatchStream<Source>): () => void {
    const { request, encoder } = this.#parts
    let isPast = true
    const stop = store.subscribe({ resource: storageNameOf(request.resource), after }, (event) => {
      if (!this.#concerns(event.key)) return
      if (isPast) {
        stream.pushPast(event)
      } else if (encoder.hasSpecialFirst || !this.#isPlain(event)) {
        stream.push(event)
      } else {
        // At once: the next watcher of this shape finds the bytes made.
        const bytes = this.#plainEvent(event)
        if (bytes !== undefined) stream.push(bytes)
      }
    })
    isPast = false
    return stop
  }

  /** The bytes of an event; undefined when it is nothing to this watcher. Throws or rejects when a conversion fails. */
  encode(source: Source): Sendable {
    if ('markRevision' in source)
      return this.#parts.encoder.bookmark(source.markRevision, source.isInitialEnd, this.#takeFirst())
    if ('current' in source)
      return this.#isPlain(source) ? this.#plainEvent(source) : this.#convertedEvent(source)
    if (!this.#concerns(source.key)) return undefined
    const { versions, request } = this.#parts
    const versioned = versions.of(request, source)
    if (versioned instanceof Promise) return versioned.then((object) => this.#initial(object))
    return this.#parts.selection.mayMatch(source) ? this.#initial(versioned) : undefined
  }

  #initial(object: Versioned): Buffer | undefined {
    return this.#parts.selection.matches(object) ? this.#write('ADDED', object) : undefined
  }

  #plainEvent(event: StoreEvent): Buffer | undefined {
    const { selection } = this.#parts
    const { current, previous } = event
    const isChosen = (state: StoredObject): boolean => selection.mayMatch(state) && selection.matches(state)
    return this.#event(event, {
      current,
      previous,
      isNow: event.type !== 'deleted' && isChosen(current),
      wasBefore: previous !== undefined && isChosen(previous),
    })
  }

  async #convertedEvent(event: StoreEvent): Promise<Buffer | undefined> {
    const { versions, request, selection } = this.#parts
    const current = await versions.of(request, event.current)
    const previous = event.previous === undefined ? undefined : await versions.of(request, event.previous)
    return this.#event(event, {
      current,
      previous,
      isNow: event.type !== 'deleted' && selection.matches(current),
      wasBefore: previous !== undefined && selection.matches(previous),
    })
  }

  /** What a change is to somebody who sees only a part: coming into it is to be added, leaving it to be deleted. */
  #event(
    event: StoreEvent,
    states: {
      readonly current: Versioned
      readonly previous: Versioned | undefined
      readonly isNow: boolean
      readonly wasBefore: boolean
    },
  ): Buffer | undefined {
    const { current, previous, isNow, wasBefore } = states
    if (isNow) return this.#write(wasBefore ? 'MODIFIED' : 'ADDED', current)
    if (!wasBefore || previous === undefined) return undefined
    const last = event.type === 'deleted' ? current : this.#parts.encoder.departed(event, previous)
    return this.#write('DELETED', last)
  }

  #write(type: WatchEventType, object: Versioned): Buffer {
    return this.#parts.encoder.event(type, object, this.#takeFirst())
  }

  #takeFirst(): boolean {
    const isFirst = this.#isFirst
    this.#isFirst = false
    return isFirst
  }

  #concerns(key: string): boolean {
    const { selection } = this.#parts
    return selection.key === undefined ? key.startsWith(selection.prefix) : key === selection.key
  }

  #isPlain({ current, previous }: StoreEvent): boolean {
    const { versions, request } = this.#parts
    return (
      versions.isPlain(request, current) && (previous === undefined || versions.isPlain(request, previous))
    )
  }
}
