import { parseJson, stringifyJson } from '../../base/index.js'
import type { ListMeta } from '../../objects/index.js'
import { apiVersionOf, type Served } from './answer-kind.js'
import { listMetadata, listParts, withoutKind } from './list-parts.js'
import type { ProtobufSource } from './protobuf-codec.js'
import type { Rendition } from './rendition.js'

/** An answer before its form is chosen. Each form is made only if it is the one. */
export interface Content {
  /** Compact, in parts that belong to others. */
  json(): readonly Buffer[]
  value(): ProtobufSource
}

export function objectContent(rendition: Rendition): Content {
  return { json: () => [rendition.json], value: () => rendition.object }
}

export function listContent(served: Served, items: readonly Rendition[], metadata: ListMeta): Content {
  return {
    json: () => listParts(served, items, metadata),
    value: () => ({
      kind: served.resource.listKind,
      apiVersion: apiVersionOf(served),
      metadata: listMetadata(served, metadata),
      items: items.map(({ object }) => (served.resource.isCustom ? object : withoutKind(object))),
    }),
  }
}

/** Something that was put together as JSON: a Table, partial metadata. */
export function textContent(text: string): Content {
  return {
    json: () => [Buffer.from(text)],
    // All that is written this way has a kind and an apiVersion.
    value: () => parseJson(text) as ProtobufSource,
  }
}

export function valueContent(value: ProtobufSource): Content {
  return { json: () => [Buffer.from(stringifyJson(value))], value: () => value }
}
