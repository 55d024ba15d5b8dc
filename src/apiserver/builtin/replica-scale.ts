import { formatLabelSelector, type LabelSelector, LabelSelectorError } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ScaleProjection } from '../resource.js'
import { draftOf, viewOf } from './draft.js'

interface Scalable {
  spec: { replicas: number; selector: LabelSelector }
  status: { replicas: number }
}

/** The Scale of Deployments, ReplicaSets and StatefulSets. */
export const replicaScale: ScaleProjection = createReplicaScale((object) => {
  const { selector } = viewOf<Scalable>(object).spec ?? {}
  try {
    // A view is the same data with fewer promises; what is wrong with it is thrown.
    return formatLabelSelector((selector ?? {}) as LabelSelector)
  } catch (error) {
    if (error instanceof LabelSelectorError) return ''
    throw error
  }
})

/** The Scale of an object that keeps its replicas where all do, with the selector in its written form. */
export function createReplicaScale(selectorOf: (object: StoredApiObject) => string): ScaleProjection {
  return {
    replicasPath: ['spec', 'replicas'],
    read(object) {
      const { spec, status } = viewOf<Scalable>(object)
      const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
      const replicas = spec?.replicas ?? 0
      const selector = selectorOf(object)
      const scale: ApiObject = {
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: {
          ...(name !== undefined && { name }),
          ...(namespace !== undefined && { namespace }),
          ...(uid !== undefined && { uid }),
          ...(resourceVersion !== undefined && { resourceVersion }),
          ...(creationTimestamp !== undefined && { creationTimestamp }),
        },
        spec: { ...(replicas !== 0 && { replicas }) },
        status: { replicas: status?.replicas ?? 0, ...(selector !== '' && { selector }) },
      }
      return scale
    },
    write(draft, scale) {
      const object = draftOf<Scalable>(draft)
      object.spec ??= {}
      object.spec.replicas = viewOf<Scalable>(scale).spec?.replicas ?? 0
    },
  }
}
