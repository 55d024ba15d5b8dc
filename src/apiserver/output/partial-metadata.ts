import { stringifyJson } from '../../base/index.js'
import type { ListMeta } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Content } from './content.js'
import type { ProtobufSource } from './protobuf-codec.js'
import type { Rendition } from './rendition.js'

/** An object reduced to its metadata, as JSON. */
export function partialMetadataText(object: ApiObject | StoredApiObject, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${stringifyJson(object.metadata)}}`
}

/** The same as data. */
export function partialMetadata(object: ApiObject | StoredApiObject, version: string): ProtobufSource {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object.metadata,
  }
}

export function partialMetadataContent({ object }: Rendition, version: string): Content {
  return {
    json: () => [Buffer.from(partialMetadataText(object, version))],
    value: () => partialMetadata(object, version),
  }
}

export function partialMetadataListContent(
  items: readonly Rendition[],
  metadata: ListMeta,
  version: string,
): Content {
  return {
    json: () => [Buffer.from(partialMetadataListText(items, metadata, version))],
    value: () => ({
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${version}`,
      metadata,
      items: items.map(({ object }) => partialMetadata(object, version)),
    }),
  }
}

/** A list of such, as JSON. */
function partialMetadataListText(items: Iterable<Rendition>, metadata: ListMeta, version: string): string {
  const texts: string[] = []
  for (const { object } of items) texts.push(partialMetadataText(object, version))
  // Nothing at all is null here, unlike in every other list: that is how the real server writes it.
  const list = texts.length === 0 ? 'null' : `[${texts.join(',')}]`
  return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${stringifyJson(metadata)},"items":${list}}`
}
