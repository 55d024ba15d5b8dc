import type { ScopedResourceSelectorRequirement } from '../../kinds/core/v1.js'
import type { AdmissionRequest } from '../admission/admission.js'
import type { ApiObject, GroupResource, StoredApiObject } from '../api-object.js'
import type { View } from '../builtin/draft.js'
import { claimEvaluator } from './claim-evaluator.js'
import { podEvaluator } from './pod-evaluator.js'
import { serviceEvaluator } from './service-evaluator.js'
import { type Usage, usageOf } from './usage.js'

export type ScopeSelector = View<ScopedResourceSelectorRequirement>

/** What quotas have to know of the objects of one resource. */
export interface QuotaEvaluator {
  /** Whether objects use something of what goes by this name. */
  tracks(name: string): boolean
  /** Whether a write may change what is used. */
  handles(request: AdmissionRequest): boolean
  /** Why an object cannot be charged for what a quota has these names for. */
  problem?(object: ApiObject | StoredApiObject, names: readonly string[]): string | undefined
  /** Without it, no object is within any scope. */
  isWithin?(scope: ScopeSelector, object: ApiObject | StoredApiObject): boolean
  usage(object: ApiObject | StoredApiObject, nowMs: number): Usage
}

const special: ReadonlyMap<GroupResource, QuotaEvaluator> = new Map([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', claimEvaluator],
])

/** What is also counted under its own name. */
const plainCounts: readonly GroupResource[] = [
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]
const notCounted: ReadonlySet<GroupResource> = new Set(['events', 'events.events.k8s.io', 'bindings'])

/** Undefined for what no quota limits. */
export function evaluatorOf(resource: GroupResource): QuotaEvaluator | undefined {
  return special.get(resource) ?? (notCounted.has(resource) ? undefined : countEvaluator(resource))
}

/** The resources whose objects have to be looked at to know how much is used of these. */
export function trackedResources(names: readonly string[]): ReadonlySet<GroupResource> {
  const resources = new Set<GroupResource>()
  for (const resource of [...special.keys(), ...plainCounts])
    if (names.some((name) => evaluatorOf(resource)?.tracks(name))) resources.add(resource)
  for (const name of names) {
    const counted = name.startsWith('count/') ? name.slice('count/'.length) : undefined
    if (counted !== undefined && !notCounted.has(counted)) resources.add(counted)
  }
  return resources
}

function countEvaluator(resource: GroupResource): QuotaEvaluator {
  const names = [`count/${resource}`, ...(plainCounts.includes(resource) ? [resource] : [])]
  const usage = usageOf(Object.fromEntries(names.map((name) => [name, 1])))
  return {
    tracks: (name) => names.includes(name),
    handles: ({ operation, info }) => operation === 'CREATE' && info.subresource === '',
    usage: () => usage,
  }
}
