import type { AdmissionPlugin } from '../admission.js'
import { isWriteOf } from './target.js'

const finalizers: readonly (readonly [resource: string, group: string, finalizer: string])[] = [
  ['persistentvolumes', '', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims', '', 'kubernetes.io/pvc-protection'],
  ['volumeattributesclasses', 'storage.k8s.io', 'kubernetes.io/vac-protection'],
]

/** Volumes, claims and classes stay until nobody uses them: their controllers take these finalizers off. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: (request) =>
    request.operation === 'CREATE' &&
    finalizers.some(([resource, group]) => isWriteOf(request, resource, group)),
  mutate(request) {
    const { object } = request
    const finalizer = finalizers.find(([resource, group]) => isWriteOf(request, resource, group))?.[2]
    if (object === undefined || finalizer === undefined) return
    const given = object.metadata.finalizers ?? []
    if (!given.includes(finalizer)) object.metadata.finalizers = [...given, finalizer]
  },
}
