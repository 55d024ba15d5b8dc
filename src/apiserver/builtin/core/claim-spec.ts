import type { PersistentVolumeClaimSpec } from '../../../kinds/core/v1.js'
import type { Draft, View } from '../draft.js'
import { type FieldError, forbidden, invalid, notSupported, required } from '../field-errors.js'
import { fractionWarnings } from '../fraction-warnings.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { validateAmount, validatePositive } from '../quantity-rules.js'
import { validateDnsLabel, validateDnsSubdomain } from '../value-rules.js'

export interface ClaimOptions {
  /** The selector was stored before with a value that is no label value: it may stay. */
  readonly allowsInvalidSelector?: boolean
  /** The source was stored before with a group that is no domain: it may stay. */
  readonly allowsInvalidGroup?: boolean
}

/** How a volume may be mounted. */
export const accessModes: readonly string[] = [
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOnce',
  'ReadWriteOncePod',
]

/** What is wrong with a claim, or with one that is made for an ephemeral volume. */
export function validateClaimSpec(
  spec: View<PersistentVolumeClaimSpec>,
  path: string,
  options: ClaimOptions = {},
): FieldError[] {
  const { storageClassName = '', volumeMode, volumeAttributesClassName = '' } = spec
  const modes = spec.accessModes ?? []
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, 'at least 1 access mode is required')] : []),
    ...validateLabelSelector(spec.selector, `${path}.selector`, {
      allowsInvalidValues: options.allowsInvalidSelector ?? false,
    }),
    ...modes
      .filter((mode) => !accessModes.includes(mode))
      .map((mode) => notSupported(`${path}.accessModes`, mode, accessModes)),
    ...(modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))
      ? [forbidden(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes')]
      : []),
    ...validateSize(spec.resources?.requests?.['storage'], `${path}.resources[storage]`),
    ...(storageClassName === '' ? [] : validateDnsSubdomain(storageClassName, `${path}.storageClassName`)),
    ...validateVolumeMode(volumeMode, `${path}.volumeMode`),
    ...validateSources(spec, path, options),
    ...(volumeAttributesClassName === ''
      ? []
      : validateDnsSubdomain(volumeAttributesClassName, `${path}.volumeAttributesClassName`)),
  ]
}

export function validateVolumeMode(mode: string | undefined, path: string): FieldError[] {
  return mode === undefined || mode === 'Block' || mode === 'Filesystem'
    ? []
    : [notSupported(path, mode, ['Block', 'Filesystem'])]
}

function validateSize(size: string | number | undefined, path: string): FieldError[] {
  if (size === undefined) return [required(path)]
  const errors = validatePositive(String(size), path)
  return errors.length > 0 ? errors : validateAmount('storage', String(size), path)
}

interface Source {
  readonly name?: string | undefined
  readonly kind?: string | undefined
  readonly apiGroup?: string | null | undefined
}

function validateSources(
  { dataSource, dataSourceRef }: View<PersistentVolumeClaimSpec>,
  path: string,
  options: ClaimOptions,
): FieldError[] {
  const namespace = dataSourceRef?.namespace ?? ''
  const errors = [
    ...(dataSource ? validateSource(dataSource, `${path}.dataSource`, options) : []),
    ...(dataSourceRef ? validateSource(dataSourceRef, `${path}.dataSourceRef`, options) : []),
    ...(namespace === '' ? [] : validateDnsLabel(namespace, `${path}.dataSourceRef.namespace`)),
  ]
  if (!dataSource || !dataSourceRef) return errors
  // The server shows the path as a value of its own type, which has no visible fields.
  if (namespace !== '')
    errors.push(invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified'))
  else if (!isSameSource(dataSource, dataSourceRef))
    errors.push(invalid(path, {}, 'must match dataSourceRef'))
  return errors
}

function isSameSource(left: Source, right: Source): boolean {
  return (
    (left.apiGroup ?? null) === (right.apiGroup ?? null) &&
    left.kind === right.kind &&
    left.name === right.name
  )
}

function validateSource(source: Source, path: string, options: ClaimOptions): FieldError[] {
  const { name = '', kind = '' } = source
  const group = source.apiGroup ?? ''
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...(kind === '' ? [required(`${path}.kind`)] : []),
    ...(group === '' && kind !== 'PersistentVolumeClaim'
      ? [invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(group === '' || options.allowsInvalidGroup === true
      ? []
      : validateDnsSubdomain(group, `${path}.apiGroup`)),
  ]
}

/** The old name of the source and the new one say the same, as far as the old one can. */
export function normalizeSources(spec: Draft<PersistentVolumeClaimSpec>): void {
  const { dataSource, dataSourceRef } = spec
  if (dataSource && !dataSourceRef) {
    spec.dataSourceRef = { ...dataSource }
  } else if (dataSourceRef && !dataSource && (dataSourceRef.namespace ?? '') === '') {
    const { apiGroup, kind, name } = dataSourceRef
    spec.dataSource = { apiGroup, kind, name }
  }
}

/** What the server warns of in a claim. */
export function claimWarnings({ resources }: View<PersistentVolumeClaimSpec>, path: string): string[] {
  const order = [
    ['requests', 'storage'],
    ['limits', 'storage'],
  ] as const
  return fractionWarnings(resources, order, `${path}.resources`)
}
