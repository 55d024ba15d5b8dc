import type { PersistentVolumeClaim } from '../../../kinds/core/v1.js'
import type { Draft } from '../draft.js'
import { defaultClaimSpec } from '../pod/default-volume.js'
import { isBlank } from '../value-rules.js'

/** A claim inside a StatefulSet is written out as a whole object. */
export function defaultClaimTemplate(claim: Draft<PersistentVolumeClaim>): void {
  claim.apiVersion = 'v1'
  claim.kind = 'PersistentVolumeClaim'
  claim.spec ??= {}
  defaultClaimSpec(claim.spec)
  claim.status ??= {}
  if (isBlank(claim.status.phase)) claim.status.phase = 'Pending'
}
