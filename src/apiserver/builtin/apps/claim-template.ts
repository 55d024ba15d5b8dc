import type { PersistentVolumeClaim } from '../../../kinds/core/v1.js'
import type { Draft, View } from '../draft.js'
import { type FieldError, required } from '../field-errors.js'
import { isBlank } from '../value-rules.js'

/** A claim inside a StatefulSet is written out as a whole object. */
export function defaultClaimTemplate(claim: Draft<PersistentVolumeClaim>): void {
  claim.apiVersion = 'v1'
  claim.kind = 'PersistentVolumeClaim'
  claim.spec ??= {}
  if (isBlank(claim.spec.volumeMode)) claim.spec.volumeMode = 'Filesystem'
  claim.status ??= {}
  if (isBlank(claim.status.phase)) claim.status.phase = 'Pending'
}

export function validateClaimTemplate(
  { spec = {} }: View<PersistentVolumeClaim>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  if ((spec.accessModes ?? []).length === 0)
    errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'))
  if (spec.resources?.requests?.['storage'] === undefined) errors.push(required(`${path}.resources[storage]`))
  return errors
}
