import { resourceNameOf } from '../../objects/index.js'
import type { WriteCall } from './write-call.js'

/** Resources whose deletion is answered with the object. The strategy of a kind may say so as well. */
const answeredWithObject: ReadonlySet<string> = new Set([
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourcepoolstatusrequests.resource.k8s.io',
  'resourceslices.resource.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
])

const events: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io'])

/** What is particular to the deletion of a resource. */
export interface DeletionTraits {
  /** Whether the garbage collector is told about dependents. */
  readonly isGarbageCollected: boolean
  readonly answersObject: boolean
  /** Whether the first deletion only begins one, in a way of its own: nothing is removed, no grace, no new generation. */
  readonly beginsApart: boolean
}

export function deletionTraitsOf({
  resource,
  strategy,
}: Pick<WriteCall, 'resource' | 'strategy'>): DeletionTraits {
  const name = resourceNameOf(resource)
  return {
    isGarbageCollected: strategy.isGarbageCollected ?? !events.has(name),
    answersObject: strategy.answersDeletedObject ?? answeredWithObject.has(name),
    beginsApart: name === 'namespaces' || name === 'customresourcedefinitions.apiextensions.k8s.io',
  }
}
