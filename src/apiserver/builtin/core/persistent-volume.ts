import { deepEqual } from '../../../base/index.js'
import type { PersistentVolume, PersistentVolumeSpec } from '../../../kinds/core/v1.js'
import type { ApiObject } from '../../api-object.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, keyPath, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateCloudVolume } from '../pod/cloud-volume-rules.js'
import { defaultNetworkVolume } from '../pod/default-volume.js'
import { validateNodeSelector } from '../pod/node-selector-rules.js'
import { validateNoBacksteps } from '../pod/path-rules.js'
import { validateDriverName } from '../pod/volume-rules.js'
import { validateHostPath } from '../pod/volume-sources.js'
import { amountEntries, validateNotNegative, validatePositive } from '../quantity-rules.js'
import { roundResources } from '../resource-list.js'
import { specDiff } from '../spec-diff.js'
import { validateDnsLabel, validateDnsSubdomain, validateImmutable } from '../value-rules.js'
import { accessModes, validateVolumeMode } from './claim-spec.js'

type Spec = View<PersistentVolumeSpec>

export const persistentVolumeRules: KindRules = {
  defaults(draft) {
    const volume = draftOf<PersistentVolume>(draft)
    const status = (volume.status ??= {})
    status.phase ??= 'Pending'
    const spec = (volume.spec ??= {})
    spec.persistentVolumeReclaimPolicy ??= 'Retain'
    spec.volumeMode ??= 'Filesystem'
    roundResources(spec.capacity)
    if (spec.hostPath) spec.hostPath.type ??= ''
    defaultNetworkVolume(spec)
  },
  prepareForCreate(draft, context) {
    draftOf<PersistentVolume>(draft).status = {
      phase: 'Pending',
      lastPhaseTransitionTime: context.nature.timestamp(),
    }
  },
  warnings: volumeWarnings,
  prepareForStatusUpdate(draft, old, { nature }) {
    const status = (draftOf<PersistentVolume>(draft).status ??= {})
    const { phase, lastPhaseTransitionTime: time } = viewOf<PersistentVolume>(old).status ?? {}
    const own = status.lastPhaseTransitionTime
    if (status.phase === phase) {
      if (time !== undefined) status.lastPhaseTransitionTime ??= time
    } else if (own === undefined || own === time) {
      status.lastPhaseTransitionTime = nature.timestamp()
    }
  },
  validateCreate: (object) => validateVolume(viewOf<PersistentVolume>(object).spec ?? {}),
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<PersistentVolume>(object)
    const { spec: before = {} } = viewOf<PersistentVolume>(old)
    return [...validateVolume(spec), ...validateVolumeChange(spec, before)]
  },
  validateStatusUpdate: ({ metadata }) =>
    (metadata.resourceVersion ?? '') === '' ? [required('resourceVersion')] : [],
}

const sourceNames = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const

function validateVolume(spec: Spec): FieldError[] {
  const modes = spec.accessModes ?? []
  const { capacity, persistentVolumeReclaimPolicy: policy = '', storageClassName = '' } = spec
  const attributes = spec.volumeAttributesClassName
  const names = Object.keys(capacity ?? {})
  return [
    ...(modes.length === 0 ? [required('spec.accessModes')] : []),
    ...modes
      .filter((mode) => !accessModes.includes(mode))
      .map((mode) => notSupported('spec.accessModes', mode, accessModes)),
    ...(modes.includes('ReadWriteOncePod') && modes.length > 1
      ? [forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes')]
      : []),
    ...(names.length === 0 ? [required('spec.capacity')] : []),
    ...(names.length === 1 && names[0] === 'storage'
      ? []
      : [notSupported('spec.capacity', capacity ?? null, ['storage'])]),
    ...amountEntries(capacity).flatMap(([name, amount]) => [
      ...validateNotNegative(amount, keyPath('spec.capacity', name)),
      ...validatePositive(amount, keyPath('spec.capacity', name)),
    ]),
    ...(['Delete', 'Recycle', 'Retain', ''].includes(policy)
      ? []
      : [notSupported('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain'])]),
    ...validateAffinity(spec),
    ...validateSources(spec),
    ...(/^\/+$/.test(spec.hostPath?.path ?? '') && policy === 'Recycle'
      ? [forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...(storageClassName === '' ? [] : validateDnsSubdomain(storageClassName, 'spec.storageClassName')),
    ...validateVolumeMode(spec.volumeMode, 'spec.volumeMode'),
    ...(attributes === undefined ? [] : validateAttributesClass(attributes, spec)),
  ]
}

function validateAffinity({ nodeAffinity }: Spec): FieldError[] {
  if (!nodeAffinity) return []
  const path = 'spec.nodeAffinity.required'
  return nodeAffinity.required
    ? validateNodeSelector(nodeAffinity.required, path)
    : [required(path, 'must specify required node constraints')]
}

function validateAttributesClass(name: string, { csi }: Spec): FieldError[] {
  const path = 'spec.volumeAttributesClassName'
  return [
    ...(name === '' ? [required(path, 'an empty string is disallowed')] : validateDnsSubdomain(name, path)),
    ...(csi ? [] : [required('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ]
}

function validateSources(spec: Spec): FieldError[] {
  const present = sourceNames.filter((name) => spec[name] !== undefined && spec[name] !== null)
  if (present.length === 0) return [required('spec', 'must specify a volume type')]
  return present.flatMap((name, index) =>
    index === 0
      ? validateSource(spec, name)
      : [forbidden(`spec.${name === 'cephfs' ? 'cephFS' : name}`, 'may not specify more than 1 volume type')],
  )
}

function validateSource(spec: Spec, name: (typeof sourceNames)[number]): FieldError[] {
  const { csi, hostPath, local, nfs } = spec
  const path = `spec.${name}`
  switch (name) {
    case 'hostPath':
      return validateHostPath(hostPath ?? {}, path)
    case 'nfs':
      return [
        ...((nfs?.server ?? '') === '' ? [required(`${path}.server`)] : []),
        ...((nfs?.path ?? '') === '' ? [required(`${path}.path`)] : []),
        ...(nfs?.path?.startsWith('/') === true
          ? []
          : [invalid(`${path}.path`, nfs?.path ?? '', 'must be an absolute path')]),
      ]
    case 'local': {
      const target = local?.path ?? ''
      return [
        ...(target === '' ? [required(`${path}.path`)] : validateNoBacksteps(target, `${path}.path`)),
        ...(spec.nodeAffinity ? [] : [required('spec.nodeAffinity', 'Local volume requires node affinity')]),
      ]
    }
    case 'csi':
      return validateCsi(csi ?? {}, path)
    default:
      return validateCloudVolume(spec, name, path)
  }
}

function validateCsi(csi: NonNullable<Spec['csi']>, path: string): FieldError[] {
  const references = [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const
  return [
    ...validateDriverName(csi.driver ?? '', `${path}.driver`),
    ...((csi.volumeHandle ?? '') === '' ? [required(`${path}.volumeHandle`)] : []),
    ...references.flatMap((field) => {
      const reference = csi[field]
      if (!reference) return []
      const { name = '', namespace = '' } = reference
      return [
        ...(name === ''
          ? [required(`${path}.${field}.name`)]
          : validateDnsSubdomain(name, `${path}.${field}.name`)),
        ...(namespace === ''
          ? [required(`${path}.${field}.namespace`)]
          : validateDnsLabel(namespace, `${path}.${field}.namespace`)),
      ]
    }),
  ]
}

function validateVolumeChange(spec: Spec, old: Spec): FieldError[] {
  const sources = (of: Spec): object =>
    Object.fromEntries(sourceNames.map((name) => [name, of[name]]).filter(([, value]) => value !== undefined))
  // How to make the volume larger may be said later.
  const mayAddSecret = old.csi && !old.csi.controllerExpandSecretRef
  const masked: Spec =
    mayAddSecret && spec.csi ? { ...spec, csi: { ...spec.csi, controllerExpandSecretRef: undefined } } : spec
  return [
    ...(deepEqual(sources(masked), sources(old))
      ? []
      : [
          forbidden(
            'spec.persistentvolumesource',
            `spec.persistentvolumesource is immutable after creation\n${specDiff('PersistentVolumeSource', sources(old), sources(masked))}`,
          ),
        ]),
    ...validateImmutable(spec.volumeMode, old.volumeMode, 'volumeMode'),
    ...(old.nodeAffinity && !deepEqual(spec.nodeAffinity, old.nodeAffinity)
      ? [
          invalid(
            'nodeAffinity',
            spec.nodeAffinity ?? null,
            'field is immutable, except for updating from beta label to GA',
          ),
        ]
      : []),
    ...(old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined
      ? [forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')]
      : []),
  ]
}

function volumeWarnings(object: ApiObject): string[] {
  const { spec } = viewOf<PersistentVolume>(object)
  return spec?.persistentVolumeReclaimPolicy === 'Recycle'
    ? [
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ]
    : []
}
