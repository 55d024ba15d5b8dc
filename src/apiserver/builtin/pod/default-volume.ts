import type { PersistentVolumeClaimSpec, Volume } from '../../../kinds/core/v1.js'
import type { Draft } from '../draft.js'
import { roundResources } from '../resource-list.js'
import { isLatestImage } from './image-tag.js'

/** The permissions of files that come from the API: 0644. */
const fileMode = 0o644

/** Fills in what the server fills in of a volume. One without a source becomes an empty directory. */
export function defaultVolume(volume: Draft<Volume>): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {}
  const { configMap, downwardAPI, ephemeral, hostPath, image, projected, secret } = volume
  if (hostPath) hostPath.type ??= ''
  if (secret) secret.defaultMode ??= fileMode
  if (configMap) configMap.defaultMode ??= fileMode
  if (image) image.pullPolicy ??= isLatestImage(image.reference ?? '') ? 'Always' : 'IfNotPresent'
  if (downwardAPI) {
    downwardAPI.defaultMode ??= fileMode
    defaultFieldRefs(downwardAPI.items)
  }
  if (projected) {
    projected.defaultMode ??= fileMode
    for (const source of projected.sources ?? []) {
      defaultFieldRefs(source.downwardAPI?.items)
      if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600
    }
  }
  if (ephemeral?.volumeClaimTemplate?.spec) defaultClaimSpec(ephemeral.volumeClaimTemplate.spec)
  defaultNetworkVolume(volume)
}

/** Fills in what the server fills in of a claim. */
export function defaultClaimSpec(spec: Draft<PersistentVolumeClaimSpec>): void {
  spec.volumeMode ??= 'Filesystem'
  roundResources(spec.resources?.limits)
  roundResources(spec.resources?.requests)
}

/** The part that persistent volumes have, too. */
export function defaultNetworkVolume(
  volume: Pick<Draft<Volume>, 'azureDisk' | 'iscsi' | 'rbd' | 'scaleIO'>,
): void {
  const { azureDisk, iscsi, rbd, scaleIO } = volume
  if (iscsi) iscsi.iscsiInterface ??= 'default'
  if (rbd) {
    rbd.pool ??= 'rbd'
    rbd.user ??= 'admin'
    rbd.keyring ??= '/etc/ceph/keyring'
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite'
    azureDisk.fsType ??= 'ext4'
    azureDisk.readOnly ??= false
    azureDisk.kind ??= 'Shared'
  }
  if (scaleIO) {
    scaleIO.storageMode ??= 'ThinProvisioned'
    scaleIO.fsType ??= 'xfs'
  }
}

function defaultFieldRefs(
  items: readonly { fieldRef?: { apiVersion?: string | undefined } | undefined }[] | null | undefined,
): void {
  for (const { fieldRef } of items ?? []) if (fieldRef) fieldRef.apiVersion ??= 'v1'
}
