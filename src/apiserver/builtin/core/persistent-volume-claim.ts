import { deepCopy, deepEqual } from '../../../base/index.js'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../kinds/core/v1.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, keyPath, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { hasInvalidValues } from '../label-selector-rules.js'
import { defaultClaimSpec } from '../pod/default-volume.js'
import { amountEntries, compareAmounts, validateAmount, validateNotNegative } from '../quantity-rules.js'
import { roundResources } from '../resource-list.js'
import { isNativeResource } from '../resource-names.js'
import { specDiff } from '../spec-diff.js'
import { isAbsent, validateImmutable, validateQualifiedName } from '../value-rules.js'
import { claimWarnings, normalizeSources, validateClaimSpec } from './claim-spec.js'

const classKey = 'volume.beta.kubernetes.io/storage-class'

export const persistentVolumeClaimRules: KindRules = {
  defaults(draft) {
    const claim = draftOf<PersistentVolumeClaim>(draft)
    const status = (claim.status ??= {})
    status.phase ??= 'Pending'
    defaultClaimSpec((claim.spec ??= {}))
    roundResources(status.capacity)
    roundResources(status.allocatedResources)
  },
  prepareForCreate(draft) {
    const claim = draftOf<PersistentVolumeClaim>(draft)
    claim.status = { phase: 'Pending' }
    prepareSources((claim.spec ??= {}), undefined)
  },
  prepareForUpdate(draft, old) {
    const spec = (draftOf<PersistentVolumeClaim>(draft).spec ??= {})
    prepareSources(spec, viewOf<PersistentVolumeClaim>(old).spec)
  },
  validateCreate: (object) => validateClaimSpec(viewOf<PersistentVolumeClaim>(object).spec ?? {}, 'spec'),
  validateUpdate: (object, old) =>
    validateClaimUpdate(viewOf<PersistentVolumeClaim>(object), viewOf<PersistentVolumeClaim>(old)),
  warnings(object) {
    const { metadata, spec = {} } = viewOf<PersistentVolumeClaim>(object)
    const isOld = metadata?.annotations?.[classKey] !== undefined
    return [
      ...(isOld
        ? [
            `${keyPath('metadata.annotations', classKey)}: deprecated since v1.8; use "storageClassName" attribute instead`,
          ]
        : []),
      ...claimWarnings(spec, 'spec'),
    ]
  },
  validateStatusUpdate: (object) => validateClaimStatus(viewOf<PersistentVolumeClaim>(object)),
}

/** Sources that older servers ignored are still dropped, unless the new field names them. */
function prepareSources(
  spec: Draft<PersistentVolumeClaimSpec>,
  old: View<PersistentVolumeClaimSpec> | undefined,
): void {
  const wasUsed = old?.dataSource !== undefined || old?.dataSourceRef !== undefined
  if ((spec.dataSourceRef?.namespace ?? '') !== '' && old?.dataSourceRef === undefined)
    delete spec.dataSourceRef
  if (!wasUsed && spec.dataSourceRef === undefined && spec.dataSource !== undefined) {
    const { kind, apiGroup } = spec.dataSource
    const isClaim = kind === 'PersistentVolumeClaim' && (apiGroup ?? '') === ''
    const isSnapshot = kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io'
    if (!isClaim && !isSnapshot) delete spec.dataSource
  }
  normalizeSources(spec)
}

function validateClaimUpdate(
  claim: View<PersistentVolumeClaim>,
  old: View<PersistentVolumeClaim>,
): FieldError[] {
  const { spec = {}, status } = claim
  const { spec: before = {} } = old
  const errors = validateClaimSpec(spec, 'spec', {
    allowsInvalidSelector: hasInvalidValues(before.selector),
    allowsInvalidGroup: !isAbsent(before.dataSource?.apiGroup) || !isAbsent(before.dataSourceRef?.apiGroup),
  })
  // Copies of plain data, which are writable whatever the views say.
  const masked = deepCopy(spec) as Draft<PersistentVolumeClaimSpec>
  const stored = deepCopy(before) as Draft<PersistentVolumeClaimSpec>
  normalizeSources(stored)
  if ((stored.volumeName ?? '') === '') stored.volumeName = masked.volumeName
  errors.push(...validateClass(claim, old, masked))
  if (status?.phase === 'Bound') {
    if (masked.resources?.requests !== undefined)
      masked.resources.requests['storage'] = stored.resources?.requests?.['storage']
    masked.volumeAttributesClassName = stored.volumeAttributesClassName
  }
  if (!deepEqual(masked, stored))
    errors.push(
      forbidden(
        'spec',
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${specDiff('PersistentVolumeClaimSpec', stored, masked)}`,
      ),
    )
  const size = spec.resources?.requests?.['storage'] ?? '0'
  const isSmaller = compareAmounts(size, before.resources?.requests?.['storage'] ?? '0') < 0
  if (isSmaller && compareAmounts(size, old.status?.capacity?.['storage'] ?? '0') <= 0)
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'))
  errors.push(...validateImmutable(spec.volumeMode, before.volumeMode, 'volumeMode'))
  const name = spec.volumeAttributesClassName
  if (name !== before.volumeAttributesClassName && !isAbsent(old.status?.currentVolumeAttributesClassName)) {
    const to = name === undefined ? 'nil' : name === '' ? 'empty string' : undefined
    if (to !== undefined)
      errors.push(
        forbidden(
          'spec.volumeAttributesClassName',
          `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`,
        ),
      )
  }
  return errors
}

/** The class may be named later, once; the old annotation for it may become the field. */
function validateClass(
  claim: View<PersistentVolumeClaim>,
  old: View<PersistentVolumeClaim>,
  masked: Draft<PersistentVolumeClaimSpec>,
): FieldError[] {
  const annotation = claim.metadata?.annotations?.[classKey]
  const before = old.metadata?.annotations?.[classKey]
  const { storageClassName } = masked
  const wasNamed = old.spec?.storageClassName !== undefined
  if (before !== undefined && !wasNamed && storageClassName === before && (annotation ?? before) === before) {
    delete masked.storageClassName
    return []
  }
  if (!wasNamed && storageClassName !== undefined && (before ?? storageClassName) === storageClassName)
    delete masked.storageClassName
  return (annotation ?? '') === (before ?? '')
    ? []
    : [invalid(`metadata.annotations.${classKey}`, annotation ?? '', 'field is immutable')]
}

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

function validateClaimStatus({ metadata, spec, status }: View<PersistentVolumeClaim>): FieldError[] {
  return [
    ...((metadata?.resourceVersion ?? '') === '' ? [required('resourceVersion')] : []),
    ...((spec?.accessModes ?? []).length === 0 ? [required('Spec.accessModes')] : []),
    ...amountEntries(status?.capacity).flatMap(([name, amount]) =>
      validateNotNegative(amount, keyPath('status.capacity', name)),
    ),
    ...Object.entries(status?.allocatedResourceStatuses ?? {}).flatMap(([name, value = '']) => [
      ...validateResourceKey(name, 'status.allocatedResourceStatuses'),
      ...(resizeStatuses.includes(value)
        ? []
        : [notSupported('status.allocatedResourceStatuses', name, resizeStatuses.toSorted())]),
    ]),
    ...amountEntries(status?.allocatedResources).flatMap(([name, amount]) => {
      const errors = validateResourceKey(name, 'status.allocatedResources')
      const path = keyPath('status.allocatedResources', name)
      return errors.length > 0 ? errors : validateAmount('storage', amount, path)
    }),
  ]
}

function validateResourceKey(name: string, path: string): FieldError[] {
  const errors = validateQualifiedName(name, path)
  if (errors.length > 0 || !isNativeResource(name) || name === 'storage') return errors
  return [notSupported(path, name, ['storage'])]
}
