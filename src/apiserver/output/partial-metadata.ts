import { stringifyJson } from '../../base/index.js'
import type { ListMeta } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Rendition } from './rendition.js'

/** An object reduced to its metadata, as JSON. */
export function partialMetadataText(object: ApiObject | StoredApiObject, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${stringifyJson(object.metadata)}}`
}

/** A list of such, as JSON. */
export function partialMetadataListText(
  items: Iterable<Rendition>,
  metadata: ListMeta,
  version: string,
): string {
  const texts: string[] = []
  for (const { object } of items) texts.push(partialMetadataText(object, version))
  // Nothing at all is null here, unlike in every other list: that is how the real server writes it.
  const list = texts.length === 0 ? 'null' : `[${texts.join(',')}]`
  return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${stringifyJson(metadata)},"items":${list}}`
}
