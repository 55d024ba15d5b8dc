import { stringifyJson } from '../../base/index.js'
import type { ApiObject } from '../api-object.js'
import { applyCanonicalForm } from '../builtin/canonical-form.js'
import type { ApiFailure } from '../failure.js'
import { apiVersionOf, type Served } from '../output/answer-kind.js'
import type { Format } from '../output/negotiate.js'
import { partialMetadata, partialMetadataText } from '../output/partial-metadata.js'
import type { ProtobufCodec, ProtobufSource } from '../output/protobuf-codec.js'
import { type IncludeObject, tableText } from '../output/table.js'
import { watchFrame } from '../output/watch-frame.js'
import type { TableLayout } from '../resource.js'
import type { StoreEvent } from '../store/store.js'
import { type Versioned, versionedOf } from './versioned.js'

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** What decides how an event looks on the wire. */
export interface EventShape {
  readonly served: Served
  readonly format: Format
  readonly includeObject: IncludeObject
}

interface EncoderParts {
  readonly now: () => number
  readonly protobuf: ProtobufCodec | undefined
}

const initialEventsEnd = 'k8s.io/initial-events-end'

/** Writes the events of all watches of one shape. What it wrote last it writes for everybody. */
export class EventEncoder {
  readonly #shape: EventShape
  readonly #parts: EncoderParts
  #last: { readonly object: Versioned; readonly type: WatchEventType; readonly bytes: Buffer } | undefined
  #departed: { readonly event: StoreEvent; readonly object: Versioned } | undefined

  constructor(shape: EventShape, parts: EncoderParts) {
    this.#shape = shape
    this.#parts = parts
  }

  /** Whether the first event of a watch is unlike the others: it names the columns. */
  get hasSpecialFirst(): boolean {
    return this.#shape.format.transformation?.kind === 'Table'
  }

  event(type: WatchEventType, object: Versioned, isFirst: boolean): Buffer {
    if (this.hasSpecialFirst) return this.#write(type, object, isFirst)
    const last = this.#last
    if (last?.object === object && last.type === type) return last.bytes
    const bytes = this.#write(type, object, isFirst)
    this.#last = { object, type, bytes }
    return bytes
  }

  /** The state before an event at the revision of the event: how an object leaves a selection. */
  departed(event: StoreEvent, previous: Versioned): Versioned {
    if (this.#departed?.event === event) return this.#departed.object
    const { object } = previous
    const metadata = { ...object.metadata, resourceVersion: String(event.revision) }
    const departed = versionedOf(event.key, { ...object, metadata })
    this.#departed = { event, object: departed }
    return departed
  }

  /** Says that everything up to this revision was sent; with `isInitialEnd`, that it was the state to begin with. */
  bookmark(revision: number, isInitialEnd: boolean, isFirst: boolean): Buffer {
    const { served } = this.#shape
    const object: ApiObject = {
      kind: served.resource.kind,
      apiVersion: apiVersionOf(served),
      metadata: {
        resourceVersion: String(revision),
        ...(isInitialEnd && { annotations: { [initialEventsEnd]: 'true' } }),
      },
    }
    // To the real server it is an object of the kind, with what such an object always has.
    if (!served.resource.isCustom && served.version.schema !== undefined)
      applyCanonicalForm(served.version.schema, object)
    return this.#write('BOOKMARK', versionedOf('', object), isFirst)
  }

  error({ status }: ApiFailure): Buffer {
    if (this.#isProtobuf) return this.#frame('ERROR', { ...status, apiVersion: 'v1' })
    return Buffer.from(`{"type":"ERROR","object":${stringifyJson(status)}}\n`)
  }

  get #isProtobuf(): boolean {
    return this.#shape.format.mediaType === 'application/vnd.kubernetes.protobuf'
  }

  #write(type: WatchEventType | 'BOOKMARK', object: Versioned, isFirst: boolean): Buffer {
    const { transformation } = this.#shape.format
    if (this.#isProtobuf) {
      // Tables and lists have no form that could be streamed in protobuf.
      const source =
        transformation === undefined ? object.object : partialMetadata(object.object, transformation.version)
      return this.#frame(type, source)
    }
    const head = `{"type":"${type}","object":`
    if (transformation === undefined) return Buffer.concat([Buffer.from(head), object.json, eventEnd])
    if (transformation.kind === 'Table') return Buffer.from(`${head}${this.#table(type, object, isFirst)}}\n`)
    return Buffer.from(`${head}${partialMetadataText(object.object, transformation.version)}}\n`)
  }

  #table(type: string, object: Versioned, isFirst: boolean): string {
    const { served, format, includeObject } = this.#shape
    const { resourceVersion, annotations } = object.object.metadata
    const isBookmark = type === 'BOOKMARK'
    const isInitialEnd = annotations !== undefined && Object.hasOwn(annotations, initialEventsEnd)
    return tableText([object], resourceVersion === undefined ? {} : { resourceVersion }, {
      layout: isBookmark ? forgiving(served.version.table) : served.version.table,
      version: format.transformation?.version ?? 'v1',
      // Without its object the end mark could not be told from a row.
      includeObject: includeObject === 'None' && isBookmark && isInitialEnd ? 'Metadata' : includeObject,
      now: this.#parts.now(),
      hasColumns: isFirst,
    })
  }

  #frame(type: string, source: ProtobufSource): Buffer {
    const { protobuf } = this.#parts
    // Protobuf is negotiated only where there is a codec.
    return watchFrame(type, protobuf?.encode(source) ?? new Uint8Array())
  }
}

const eventEnd = Buffer.from('}\n')

/** A bookmark is hardly an object of its kind: a layout that cannot make a row of it must not end the watch. */
function forgiving(layout: TableLayout): TableLayout {
  return {
    columns: layout.columns,
    cells: (object, now) => {
      try {
        return layout.cells(object, now)
      } catch {
        return []
      }
    },
  }
}
