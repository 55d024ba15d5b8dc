import { isPlainObject } from '../base/index.js'
import type { AnyKind } from '../objects/index.js'
import { UnexpectedResponseError } from './call-errors.js'
import type { CallOptions, WriteOptions } from './call-options.js'
import { type ClientContext, namespaceFor } from './client-context.js'
import type { AnyKey } from './object-access.js'
import { subresourceOf } from './subresources.js'

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

/** The scale of an object. */
export async function getScaleOf(
  context: ClientContext,
  kind: AnyKind,
  key: AnyKey,
  options?: CallOptions,
): Promise<Scale> {
  return readScale(`get scale of ${key.name}`, await subresourceOf(context, kind, key, 'scale').get(options))
}

/** Sets the number of replicas. */
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
