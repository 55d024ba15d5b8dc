import { stringifyJson } from '../../base/index.js'
import type { ListMeta } from '../../objects/index.js'
import { apiVersionOf, type Served } from './answer-kind.js'
import type { Rendition } from './rendition.js'

const openBrace = Buffer.from('{')
const comma = Buffer.from(',')
const commaBrace = Buffer.from(',{')
const end = Buffer.from(']}')

/**
 * A list as JSON, in parts: the bytes of the objects are not copied. Items of built-in kinds do not repeat their kind
 * and apiVersion, items of custom resources do, as on the real server.
 */
export function listParts(served: Served, items: readonly Rendition[], metadata: ListMeta): Buffer[] {
  const { listKind, kind, isCustom } = served.resource
  const apiVersion = apiVersionOf(served)
  const head = `{"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${stringifyJson(listMetadata(served, metadata))},"items":[`
  const parts: Buffer[] = [Buffer.from(head)]
  const prefix = Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`)
  let isFirst = true
  for (const item of items) {
    if (isCustom) {
      if (!isFirst) parts.push(comma)
      parts.push(item.json)
    } else {
      parts.push(isFirst ? openBrace : commaBrace, membersBehindKind(item, prefix))
    }
    isFirst = false
  }
  parts.push(end)
  return parts
}

/** The members of the object behind kind and apiVersion, with the closing brace. */
function membersBehindKind(item: Rendition, prefix: Buffer): Buffer {
  const { json } = item
  if (json.length > prefix.length && json.compare(prefix, 0, prefix.length, 0, prefix.length) === 0)
    return json.subarray(prefix.length)
  return Buffer.from(stringifyJson(withoutKind(item.object))).subarray(1)
}

export function withoutKind({
  kind: _kind,
  apiVersion: _apiVersion,
  ...rest
}: Rendition['object']): Readonly<Record<string, unknown>> {
  return rest
}

/** An absent continue token is an empty one in lists of custom resources. */
export function listMetadata({ resource }: Served, metadata: ListMeta): ListMeta {
  return resource.isCustom ? { continue: '', ...metadata } : metadata
}
