import type { PersistentVolumeClaim } from '../../../kinds/core/v1.js'
import type { StorageClass } from '../../../kinds/storage.k8s.io/v1.js'
import { compareQuantities } from '../../../objects/index.js'
import { type View, viewOf } from '../../builtin/draft.js'
import type { AdmissionPlugin } from '../admission.js'
import { refused } from '../refusal.js'
import { isWriteOf } from './target.js'

/** A claim grows only when it is bound and its class allows it. */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  handles: (request) => request.operation === 'UPDATE' && isWriteOf(request, 'persistentvolumeclaims'),
  validate(request, { cluster }) {
    const { object, oldObject } = request
    if (object === undefined || oldObject === undefined) return
    const claim = viewOf<PersistentVolumeClaim>(object)
    const old = viewOf<PersistentVolumeClaim>(oldObject)
    if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return
    if (old.status?.phase !== 'Bound')
      throw refused(request, 'Only bound persistent volume claims can be expanded')
    const name = classOf(claim)
    const stored =
      name === '' || name !== classOf(old)
        ? undefined
        : cluster.get('storageclasses.storage.k8s.io', '', name)
    if (stored !== undefined && viewOf<StorageClass>(stored).allowVolumeExpansion === true) return
    throw refused(
      request,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    )
  },
}

function sizeOf({ spec }: View<PersistentVolumeClaim>): string | number {
  return spec?.resources?.requests?.['storage'] ?? '0'
}

function classOf({ metadata, spec }: View<PersistentVolumeClaim>): string {
  return metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? ''
}
