import { stringifyJson } from '../../base/index.js'
import type { ListMeta } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Content } from './content.js'
import type { ProtobufSource } from './protobuf-codec.js'
import type { Rendition } from './rendition.js'

/** Annotations that the server makes of fields when it shows whole objects, and of nothing else. */
const fieldAnnotations: Readonly<Record<string, readonly string[]>> = {
  'apps/v1 DaemonSet': ['deprecated.daemonset.template.generation'],
  'autoscaling/v1 HorizontalPodAutoscaler': ['metrics', 'current-metrics', 'conditions', 'behavior'].map(
    (name) => `autoscaling.alpha.kubernetes.io/${name}`,
  ),
}

function metadataOf({
  apiVersion,
  kind,
  metadata,
}: ApiObject | StoredApiObject): ApiObject['metadata'] | StoredApiObject['metadata'] {
  const hidden = fieldAnnotations[`${apiVersion} ${kind}`]
  if (hidden === undefined || metadata.annotations === undefined) return metadata
  const { annotations, ...others } = metadata
  const rest = Object.entries(annotations).filter(([name]) => !hidden.includes(name))
  return rest.length === 0 ? others : { ...others, annotations: Object.fromEntries(rest) }
}

/** An object reduced to its metadata, as JSON. */
export function partialMetadataText(object: ApiObject | StoredApiObject, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${stringifyJson(metadataOf(object))}}`
}

/** The same as data. */
export function partialMetadata(object: ApiObject | StoredApiObject, version: string): ProtobufSource {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: metadataOf(object),
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
