import {
  type AnyKind,
  buildRequest,
  type QueryParameters,
  type RequestTarget,
  type WriteParameters,
  writeQuery,
} from '../objects/index.js'
import type { ApplyOptions, CallOptions, WriteOptions } from './call-options.js'
import { type ClientContext, namespaceFor, writeParametersFor } from './client-context.js'
import type { AnyKey } from './object-access.js'
import { type Patch, patchBody } from './patch.js'
import { applyObject } from './verbs.js'

/** Any subresource of one object. Its data has a type of its own, which the client cannot know. */
export interface SubresourceClient {
  get(options?: CallOptions): Promise<unknown>
  create(body: object, options?: WriteOptions): Promise<unknown>
  update(body: object, options?: WriteOptions): Promise<unknown>
  patch(patch: Patch<Record<string, unknown>>, options?: WriteOptions): Promise<unknown>
  /** Server-side apply. The body names its object in `metadata`. */
  apply(body: object, options?: ApplyOptions): Promise<unknown>
}

/** The verbs of one subresource of one object. */
export function subresourceOf(
  context: ClientContext,
  kind: AnyKind,
  key: AnyKey,
  subresource: string,
): SubresourceClient {
  const target: RequestTarget = {
    kind,
    namespace: namespaceFor(context, kind, key.namespace),
    name: key.name,
    subresource,
  }
  const query = (options: WriteParameters): QueryParameters =>
    writeQuery(writeParametersFor(context, options))
  const { caller } = context
  return {
    get: (options = {}) => caller.json(buildRequest('get', target), options),
    create: async (body, options = {}) =>
      caller.json(buildRequest('create', target, { body, query: query(options) }), options),
    update: async (body, options = {}) =>
      caller.json(buildRequest('update', target, { body, query: query(options) }), options),
    patch: async (patch, options = {}) =>
      caller.json(buildRequest('patch', target, { ...patchBody(patch), query: query(options) }), options),
    apply: (body, options = {}) => applyObject(context, kind, body, { ...options, subresource }),
  }
}
