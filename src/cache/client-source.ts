import { type Client, createLineSplitter } from '../client/index.js'
import {
  type AnyKind,
  apiVersionOf,
  buildRequest,
  describeRequest,
  listQuery,
  watchQuery,
} from '../objects/index.js'
import type { ResourceSource } from './resource-source.js'

export interface ResourceScope {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  /** Ask the server for metadata alone. */
  readonly metadataOnly?: boolean | undefined
}

const metadataAccept = {
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  watch: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
}

/** The objects of a kind in a scope, through a client, as bytes. */
export function createClientSource(client: Client, kind: AnyKind, scope: ResourceScope = {}): ResourceSource {
  const target = { kind, namespace: scope.namespace }
  const selection = { labelSelector: scope.labelSelector, fieldSelector: scope.fieldSelector }
  const accept = (verb: 'list' | 'watch'): { accept?: string } =>
    scope.metadataOnly === true ? { accept: metadataAccept[verb] } : {}
  return {
    description: describeRequest('list', target).slice('list '.length),
    typeMeta: { apiVersion: apiVersionOf(kind), kind: kind.kind },

    async list(query, signal) {
      const request = buildRequest('list', target, {
        ...accept('list'),
        query: listQuery({
          ...selection,
          ...(query.resourceVersion !== '' && { resourceVersion: query.resourceVersion }),
          ...(query.limit > 0 && { limit: query.limit }),
          // Together with a limit, a version alone would mean exactly that version, which expires within minutes.
          ...(query.limit > 0 &&
            query.resourceVersion !== '' &&
            query.resourceVersion !== '0' && { resourceVersionMatch: 'NotOlderThan' }),
          ...(query.continueToken !== undefined && { continue: query.continueToken }),
        }),
      })
      // One try, here and below: when to ask again is the reflector's decision.
      const response = await client.request({ ...request, signal, maxTries: 1 })
      const chunks: Uint8Array[] = []
      for await (const chunk of response.body) chunks.push(chunk)
      return Buffer.concat(chunks)
    },

    async *watch(query, signal) {
      const request = buildRequest('watch', target, {
        ...accept('watch'),
        query: watchQuery({
          ...selection,
          resourceVersion: query.resourceVersion,
          timeoutSeconds: query.timeoutSeconds,
          allowBookmarks: true,
          ...(query.initialEvents && { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
        }),
      })
      // The idle time counts from the request, since some proxies hold the headers back until the first event.
      const { idleTimeoutMs } = query
      const response = await client.request({
        ...request,
        signal,
        idleTimeoutMs,
        timeoutMs: idleTimeoutMs,
        maxTries: 1,
        isStream: true,
      })
      yield []
      const splitter = createLineSplitter()
      for await (const chunk of response.body) {
        const lines: Buffer[] = []
        splitter.push(chunk, (line) => lines.push(asBuffer(line)))
        if (lines.length > 0) yield lines
      }
    },
  }
}

/** Node's transport brings Node's buffers; others may bring plain bytes. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
