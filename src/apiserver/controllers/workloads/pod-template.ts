import { createHash } from 'node:crypto'
import type { DeepReadonly } from '../../../base/index.js'
import type { Pod, PodTemplateSpec } from '../../../kinds/core/v1.js'
import type { ApiObject } from '../../api-object.js'
import { controllerReference, type Owner, soonestMs, timeMs } from './workload.js'

// The letters and digits of generated names: without those that make words or look alike.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** A short name for a template: the same for the same template. */
export function templateHash(template: DeepReadonly<PodTemplateSpec>, collisions: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([template, collisions]))
    .digest()
  return Array.from(digest.subarray(0, 10), (byte) => alphabet[byte % alphabet.length]).join('')
}

/** A pod as its template says, owned by a workload. */
export function podOf(
  template: DeepReadonly<PodTemplateSpec>,
  owner: DeepReadonly<Owner>,
  metadata: ApiObject['metadata'],
): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      ...metadata,
      labels: { ...template.metadata?.labels, ...metadata.labels },
      ...(template.metadata?.annotations !== undefined && {
        annotations: { ...template.metadata.annotations },
      }),
      ...(template.metadata?.finalizers !== undefined && { finalizers: [...template.metadata.finalizers] }),
      // The reference was made for this very form.
      ownerReferences: [controllerReference(owner)] as NonNullable<ApiObject['metadata']['ownerReferences']>,
    },
    spec: structuredClone(template.spec ?? {}),
  }
}

type StoredPod = DeepReadonly<Pod>

/** Neither ended nor being deleted: it counts. */
export function isActive(pod: StoredPod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined
}

export function hasEnded({ status }: StoredPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** Being deleted, and still there. */
export function isTerminating(pod: StoredPod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined
}

export function isReady({ status }: StoredPod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
}

/** Milliseconds until a ready pod counts as available; 0 when it does, undefined when it is not ready. */
export function untilAvailableMs(pod: StoredPod, minReadySeconds: number, nowMs: number): number | undefined {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True') return undefined
  if (minReadySeconds === 0) return 0
  return Math.max(0, timeMs(ready.lastTransitionTime) + minReadySeconds * 1000 - nowMs)
}

export function isAvailable(pod: StoredPod, minReadySeconds: number, nowMs: number): boolean {
  return untilAvailableMs(pod, minReadySeconds, nowMs) === 0
}

/** Milliseconds until the next of these pods becomes available by time alone, if one does. */
export function nextAvailableMs(
  pods: Iterable<StoredPod>,
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  return soonestMs(Array.from(pods, (pod) => untilAvailableMs(pod, minReadySeconds, nowMs)))
}

/** The pods that are the least loss first: unscheduled, then pending, then not ready, then the youngest. */
export function byLoss(left: StoredPod, right: StoredPod): number {
  return (
    loss(left) - loss(right) || (left.metadata.creationTimestamp < right.metadata.creationTimestamp ? 1 : -1)
  )
}

function loss(pod: StoredPod): number {
  if (pod.spec?.nodeName === undefined || pod.spec.nodeName === '') return 0
  if (pod.status?.phase !== 'Running') return 1
  return isReady(pod) ? 3 : 2
}
