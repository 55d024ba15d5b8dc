import type { Volume } from '../../../kinds/core/v1.js'
import { dns1123SubdomainErrors } from '../../../objects/index.js'
import { validateClaimSpec } from '../core/claim-spec.js'
import type { View } from '../draft.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  itemPath,
  required,
  tooLong,
} from '../field-errors.js'
import { validateAnnotations, validateLabels } from '../metadata-rules.js'
import { compareAmounts } from '../quantity-rules.js'
import { validateDnsLabel } from '../value-rules.js'
import { validateCloudVolume } from './cloud-volume-rules.js'
import { validatePullPolicy } from './container-rules.js'
import { validateDescendingPath } from './path-rules.js'
import {
  validateDownwardFile,
  validateHostPath,
  validateKeyedSource,
  validateMode,
  validateProjected,
} from './volume-sources.js'

/** What is known of the pod that volumes belong to. */
export interface VolumeOwner {
  /** Empty for templates, and for pods whose name is still to be generated. */
  readonly podName: string
  readonly isTemplate: boolean
}

/** The volumes that are right by name, and what is wrong with the others. */
export function validateVolumes(
  volumes: readonly View<Volume>[] | undefined,
  owner: VolumeOwner,
  path: string,
): { readonly valid: ReadonlyMap<string, View<Volume>>; readonly errors: FieldError[] } {
  const valid = new Map<string, View<Volume>>()
  const errors: FieldError[] = []
  const made = new Set(
    owner.podName === ''
      ? []
      : (volumes ?? []).filter((volume) => volume.ephemeral).map(({ name }) => `${owner.podName}-${name}`),
  )
  for (const [index, volume] of (volumes ?? []).entries()) {
    const own = itemPath(path, index)
    const { name = '' } = volume
    const found = [
      ...validateSource(volume, owner, own),
      ...(name === '' ? [required(`${own}.name`)] : validateDnsLabel(name, `${own}.name`)),
      ...(valid.has(name) ? [duplicate(`${own}.name`, name)] : []),
    ]
    if (found.length === 0) valid.set(name, volume)
    errors.push(...found)
    const claim = volume.persistentVolumeClaim?.claimName ?? ''
    if (volume.persistentVolumeClaim && made.has(claim))
      errors.push(
        invalid(
          `${own}.persistentVolumeClaim.claimName`,
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      )
  }
  return { valid, errors }
}

/** In the order in which the server looks at them: the first that is set is the one. */
const sourceNames = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const

/** Two names that the server writes in its own way when it finds a second source. */
const secondNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }

function validateSource(volume: View<Volume>, owner: VolumeOwner, path: string): FieldError[] {
  const present = sourceNames.filter((name) => volume[name] !== undefined && volume[name] !== null)
  if (present.length === 0) return [required(path, 'must specify a volume type')]
  return present.flatMap((name, index) =>
    index === 0
      ? validateOne(volume, name, owner, path)
      : [forbidden(`${path}.${secondNames[name] ?? name}`, 'may not specify more than 1 volume type')],
  )
}

function validateOne(
  volume: View<Volume>,
  source: (typeof sourceNames)[number],
  owner: VolumeOwner,
  path: string,
): FieldError[] {
  const own = `${path}.${source}`
  const { configMap, csi, downwardAPI, emptyDir, gitRepo, hostPath, image, nfs, projected, secret } = volume
  switch (source) {
    case 'emptyDir':
      return emptyDir?.sizeLimit !== undefined && compareAmounts(emptyDir.sizeLimit, 0) < 0
        ? [forbidden(`${own}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : []
    case 'hostPath':
      return validateHostPath(hostPath ?? {}, own)
    case 'gitRepo':
      return [
        ...((gitRepo?.repository ?? '') === '' ? [required(`${own}.repository`)] : []),
        ...validateDescendingPath(gitRepo?.directory ?? '', `${own}.directory`),
      ]
    case 'secret':
      return validateKeyedSource(secret?.secretName, secret ?? {}, own, 'secretName')
    case 'configMap':
      return validateKeyedSource(configMap?.name, configMap ?? {}, own, 'name')
    case 'nfs':
      return [
        ...((nfs?.server ?? '') === '' ? [required(`${own}.server`)] : []),
        ...((nfs?.path ?? '') === '' ? [required(`${own}.path`)] : []),
        ...(nfs?.path?.startsWith('/') === true
          ? []
          : [invalid(`${own}.path`, nfs?.path ?? '', 'must be an absolute path')]),
      ]
    case 'persistentVolumeClaim':
      return (volume.persistentVolumeClaim?.claimName ?? '') === '' ? [required(`${own}.claimName`)] : []
    case 'downwardAPI':
      return [
        ...validateMode(downwardAPI?.defaultMode, `${own}.defaultMode`),
        ...(downwardAPI?.items ?? []).flatMap((file) => validateDownwardFile(file, own)),
      ]
    case 'projected':
      return validateProjected(projected ?? {}, own)
    case 'csi':
      return [
        ...validateDriverName(csi?.driver ?? '', `${own}.driver`),
        ...(csi?.nodePublishSecretRef ? validateSecretName(csi.nodePublishSecretRef.name ?? '', own) : []),
      ]
    case 'ephemeral':
      return validateEphemeral(volume, owner, path)
    case 'image':
      return [
        ...(!owner.isTemplate && (image?.reference ?? '') === '' ? [required(`${own}.reference`)] : []),
        ...validatePullPolicy(image?.pullPolicy, `${own}.pullPolicy`),
      ]
    default:
      return validateCloudVolume(volume, source, own)
  }
}

function validateSecretName(name: string, path: string): FieldError[] {
  return name === ''
    ? [required(`${path}.nodePublishSecretRef.name`)]
    : invalidFor(`${path}.name`, name, dns1123SubdomainErrors(name))
}

/** Of volumes and of persistent volumes. */
export function validateDriverName(driver: string, path: string): FieldError[] {
  if (driver === '') return [required(path)]
  return [
    ...(Buffer.byteLength(driver) > 63 ? [tooLong(path, 63)] : []),
    ...invalidFor(path, driver, dns1123SubdomainErrors(driver.toLowerCase())),
  ]
}

function validateEphemeral(volume: View<Volume>, owner: VolumeOwner, path: string): FieldError[] {
  const template = volume.ephemeral?.volumeClaimTemplate
  const own = `${path}.ephemeral.volumeClaimTemplate`
  const { name = '' } = volume
  const errors = template
    ? [
        ...validateAnnotations(template.metadata?.annotations, `${own}.metadata.annotations`),
        ...validateLabels(template.metadata?.labels, `${own}.metadata.labels`),
        ...Object.keys(template.metadata ?? {})
          .filter((field) => field !== 'annotations' && field !== 'labels')
          .map((field) => forbidden(`${own}.metadata.${field}`, 'cannot be set')),
        ...validateClaimSpec(template.spec ?? {}, `${own}.spec`),
      ]
    : [required(own)]
  if (owner.podName === '' || name === '') return errors
  const claim = `${owner.podName}-${name}`
  const problems = dns1123SubdomainErrors(claim).map((problem) => `PVC name "${claim}": ${problem}`)
  return [...errors, ...invalidFor(`${path}.name`, name, problems)]
}
