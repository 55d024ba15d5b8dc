import type { GroupRules } from '../kind-rules.js'
import { csiDriverRules, csiNodeRules, csiStorageCapacityRules } from './csi.js'
import { storageClassRules, volumeAttributesClassRules } from './storage-class.js'
import { volumeAttachmentRules } from './volume-attachment.js'

/** What is particular to the kinds of storage.k8s.io. */
export const storageRules: GroupRules = {
  CSIDriver: csiDriverRules,
  CSINode: csiNodeRules,
  CSIStorageCapacity: csiStorageCapacityRules,
  StorageClass: storageClassRules,
  VolumeAttachment: volumeAttachmentRules,
  VolumeAttributesClass: volumeAttributesClassRules,
}
