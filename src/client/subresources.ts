import { isPlainObject } from '../base/index.js'
import {
  buildRequest,
  type Kind,
  type RequestTarget,
  type WriteParameters,
  writeQuery,
} from '../objects/index.js'
import { UnexpectedResponseError } from './call-errors.js'
import type { ApplyOptions, CallOptions, DeleteOptions, WriteOptions } from './call-options.js'
import { type ClientContext, namespaceFor, writeParametersFor } from './client-context.js'
import type { AnyKey, AnyKind } from './object-access.js'
import { type Patch, patchBody } from './patch.js'
import { applyObject } from './verbs.js'

/** How many replicas are wanted and how many there are, in the one form that all scalable kinds share. */
export interface Scale {
  apiVersion: 'autoscaling/v1'
  kind: 'Scale'
  metadata: {
    name: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    creationTimestamp?: string
  }
  spec: { replicas: number }
  status: { replicas: number; selector?: string }
}

/** What to set: with a `resourceVersion`, only if nothing changed since. */
export interface ScaleInput {
  readonly replicas: number
  readonly resourceVersion?: string | undefined
}

/** Any subresource of one object. Its data has a type of its own, which the client cannot know. */
export interface SubresourceClient {
  get(options?: CallOptions): Promise<unknown>
  create(body: object, options?: WriteOptions): Promise<unknown>
  update(body: object, options?: WriteOptions): Promise<unknown>
  patch(patch: Patch<Record<string, unknown>>, options?: WriteOptions): Promise<unknown>
  /** Server-side apply. The body names its object in `metadata`. */
  apply(body: object, options?: ApplyOptions): Promise<unknown>
}

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
  const query = (options: WriteParameters) => writeQuery(writeParametersFor(context, options))
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

export async function getScaleOf(
  context: ClientContext,
  kind: AnyKind,
  key: AnyKey,
  options?: CallOptions,
): Promise<Scale> {
  return readScale(`get scale of ${key.name}`, await subresourceOf(context, kind, key, 'scale').get(options))
}

export async function updateScaleOf(
  context: ClientContext,
  kind: AnyKind,
  key: AnyKey,
  change: { readonly scale: ScaleInput; readonly options?: WriteOptions | undefined },
): Promise<Scale> {
  const { replicas, resourceVersion } = change.scale
  const body = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: key.name, namespace: namespaceFor(context, kind, key.namespace), resourceVersion },
    spec: { replicas },
  }
  const answer = await subresourceOf(context, kind, key, 'scale').update(body, change.options)
  return readScale(`update scale of ${key.name}`, answer)
}

function readScale(request: string, answer: unknown): Scale {
  if (!isPlainObject(answer) || !isPlainObject(answer['metadata']))
    throw new UnexpectedResponseError(request, 'something that is not a Scale')
  const { metadata, spec, status } = answer
  const selector = isPlainObject(status) ? status['selector'] : undefined
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    // The server writes this metadata with the same code for every kind.
    metadata: metadata as unknown as Scale['metadata'],
    spec: { replicas: replicasOf(spec) },
    status: { replicas: replicasOf(status), ...(typeof selector === 'string' && { selector }) },
  }
}

/** Go leaves a zero out. */
function replicasOf(part: unknown): number {
  const replicas = isPlainObject(part) ? part['replicas'] : undefined
  return typeof replicas === 'number' ? replicas : 0
}

const podKind: Pick<Kind, 'group' | 'version' | 'plural' | 'scope'> = {
  group: '',
  version: 'v1',
  plural: 'pods',
  scope: 'Namespaced',
}

/** A request about one pod. */
export function podTarget(context: ClientContext, key: AnyKey, subresource: string): RequestTarget {
  return {
    kind: podKind,
    namespace: namespaceFor(context, podKind, key.namespace),
    name: key.name,
    subresource,
  }
}

/** Asks for the deletion of a pod within the limits of its disruption budgets: 429 when they do not allow it now. */
export async function evictPod(
  context: ClientContext,
  key: AnyKey,
  options: DeleteOptions = {},
): Promise<void> {
  const target = podTarget(context, key, 'eviction')
  const { gracePeriodSeconds, propagationPolicy, preconditions } = options
  const dryRun = options.dryRun ?? context.write.dryRun
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: key.name, namespace: target.namespace },
    deleteOptions: {
      gracePeriodSeconds,
      propagationPolicy,
      preconditions,
      ...(dryRun === true && { dryRun: ['All'] }),
    },
  }
  await context.caller.text(buildRequest('create', target, { body, query: writeQuery({ dryRun }) }), options)
}

/** What a token of a service account is for. */
export interface TokenOptions extends CallOptions {
  /** Who shall accept it; absent: the API server. */
  readonly audiences?: readonly string[] | undefined
  /** At least 600; the server may shorten or extend it. */
  readonly expirationSeconds?: number | undefined
  /** The token dies with this pod, secret or node. */
  readonly boundObjectRef?:
    | { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid?: string }
    | undefined
}

/** A token of a service account. A secret: never log it. */
export interface ServiceAccountToken {
  readonly token: string
  readonly expirationTimestamp: string
}

export async function createServiceAccountToken(
  context: ClientContext,
  key: AnyKey,
  options: TokenOptions = {},
): Promise<ServiceAccountToken> {
  const { audiences, expirationSeconds, boundObjectRef } = options
  const kind = { group: '', version: 'v1', plural: 'serviceaccounts', scope: 'Namespaced' } as const
  const target = { kind, namespace: namespaceFor(context, kind, key.namespace), name: key.name }
  const request = buildRequest(
    'create',
    { ...target, subresource: 'token' },
    {
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: audiences ?? [], expirationSeconds, boundObjectRef },
      },
    },
  )
  const answer = await context.caller.json(request, options)
  const status = isPlainObject(answer) ? answer['status'] : undefined
  const { token, expirationTimestamp } = isPlainObject(status) ? status : {}
  if (typeof token !== 'string' || typeof expirationTimestamp !== 'string')
    throw new UnexpectedResponseError(request.description, 'something that is not a token')
  return { token, expirationTimestamp }
}
