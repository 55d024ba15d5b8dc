import type { PersistentVolumeClaim } from '../../../kinds/core/v1.js'
import type { Ingress } from '../../../kinds/networking.k8s.io/v1.js'
import { draftOf } from '../../builtin/draft.js'
import type { ClusterState } from '../../cluster-state.js'
import type { AdmissionPlugin } from '../admission.js'
import { isWriteOf } from './target.js'

/** The newest class that is marked as the default; of two of the same second, the first by name. */
function defaultClassName(
  cluster: ClusterState,
  resource: string,
  annotations: readonly string[],
): string | undefined {
  return cluster
    .list(resource)
    .filter(({ metadata }) => annotations.some((key) => metadata.annotations?.[key] === 'true'))
    .map(({ metadata }) => metadata)
    .sort((left, right) =>
      left.creationTimestamp === right.creationTimestamp
        ? (left.name ?? '') < (right.name ?? '')
          ? -1
          : 1
        : (left.creationTimestamp ?? '') > (right.creationTimestamp ?? '')
          ? -1
          : 1,
    )[0]?.name
}

const betaClassAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Gives claims that ask for no class the default one. */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  handles: (request) => request.operation === 'CREATE' && isWriteOf(request, 'persistentvolumeclaims'),
  mutate({ object }, { cluster }) {
    if (object === undefined) return
    const spec = (draftOf<PersistentVolumeClaim>(object).spec ??= {})
    if (spec.storageClassName !== undefined || betaClassAnnotation in (object.metadata.annotations ?? {}))
      return
    const name = defaultClassName(cluster, 'storageclasses.storage.k8s.io', [
      'storageclass.kubernetes.io/is-default-class',
      'storageclass.beta.kubernetes.io/is-default-class',
    ])
    if (name !== undefined) spec.storageClassName = name
  },
}

/** Gives ingresses that ask for no class the default one. */
export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  handles: (request) =>
    request.operation === 'CREATE' && isWriteOf(request, 'ingresses', 'networking.k8s.io'),
  mutate({ object }, { cluster }) {
    if (object === undefined) return
    const spec = (draftOf<Ingress>(object).spec ??= {})
    if (spec.ingressClassName !== undefined) return
    if (Object.hasOwn(object.metadata.annotations ?? {}, 'kubernetes.io/ingress.class')) return
    const name = defaultClassName(cluster, 'ingressclasses.networking.k8s.io', [
      'ingressclass.kubernetes.io/is-default-class',
    ])
    if (name !== undefined) spec.ingressClassName = name
  },
}
