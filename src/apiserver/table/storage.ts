import type { PersistentVolume, PersistentVolumeClaim } from '../../kinds/core/v1.js'
import type {
  CSIDriver,
  CSINode,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '../../kinds/storage.k8s.io/v1.js'
import { ageOf, type Cells, nameOf } from './cell-text.js'

const shortModes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const

function accessModes(modes: readonly string[] | undefined): string {
  return shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

function classOf(
  annotations: Readonly<Record<string, string>> | undefined,
  className: string | undefined,
): string {
  return annotations?.['volume.beta.kubernetes.io/storage-class'] ?? className ?? ''
}

export const persistentVolumeCells: Cells<PersistentVolume> = (object, now) => {
  const { metadata, spec, status } = object
  return [
    nameOf(object),
    spec?.capacity?.['storage'] ?? '0',
    accessModes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    spec?.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
    classOf(metadata.annotations, spec?.storageClassName),
    spec?.volumeAttributesClassName ?? '<unset>',
    status?.reason ?? '',
    ageOf(object, now),
    spec?.volumeMode ?? '<unset>',
  ]
}

export const persistentVolumeClaimCells: Cells<PersistentVolumeClaim> = (object, now) => {
  const { metadata, spec, status } = object
  const isBound = (spec?.volumeName ?? '') !== ''
  return [
    nameOf(object),
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    spec?.volumeName ?? '',
    isBound ? (status?.capacity?.['storage'] ?? '0') : '',
    isBound ? accessModes(status?.accessModes) : '',
    classOf(metadata.annotations, spec?.storageClassName),
    spec?.volumeAttributesClassName ?? '<unset>',
    ageOf(object, now),
    spec?.volumeMode ?? '<unset>',
  ]
}

export const storageClassCells: Cells<StorageClass> = (object, now) => {
  const { annotations } = object.metadata
  const isDefault = [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ].some((key) => annotations?.[key] === 'true')
  return [
    isDefault ? `${nameOf(object)} (default)` : nameOf(object),
    object.provisioner,
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
    ageOf(object, now),
  ]
}

export const volumeAttributesClassCells: Cells<VolumeAttributesClass> = (object, now) => [
  nameOf(object),
  object.driverName,
  ageOf(object, now),
]

export const volumeAttachmentCells: Cells<VolumeAttachment> = (object, now) => [
  nameOf(object),
  object.spec.attacher,
  object.spec.source.persistentVolumeName ?? '',
  object.spec.nodeName,
  object.status?.attached ?? false,
  ageOf(object, now),
]

export const csiNodeCells: Cells<CSINode> = (object, now) => [
  nameOf(object),
  object.spec.drivers?.length ?? 0,
  ageOf(object, now),
]

export const csiDriverCells: Cells<CSIDriver> = (object, now) => {
  const { spec } = object
  return [
    nameOf(object),
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
    spec.requiresRepublish ?? false,
    spec.volumeLifecycleModes?.join(',') || '<none>',
    ageOf(object, now),
  ]
}
