import { isPlainObject } from '../../../base/index.js'
import type { Volume } from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { type FieldError, invalid, keyPath, notSupported, required } from '../field-errors.js'

/** The texts and lists that volumes of certain makers cannot do without. */
const requiredFields: Readonly<Record<string, readonly string[]>> = {
  awsElasticBlockStore: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  azureFile: ['secretName', 'shareName'],
  cephfs: ['monitors'],
  cinder: ['volumeID'],
  flexVolume: ['driver'],
  gcePersistentDisk: ['pdName'],
  glusterfs: ['endpoints', 'path'],
  iscsi: ['targetPortal', 'iqn'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  rbd: ['monitors', 'image'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  storageos: ['volumeName'],
  vsphereVolume: ['volumePath'],
}

/** What is wrong with a volume of a certain maker, which the kubelet mostly leaves to a CSI driver today. */
export function validateCloudVolume(
  volume: Pick<View<Volume>, 'azureDisk' | 'fc' | 'flexVolume' | 'flocker' | 'iscsi' | 'quobyte'>,
  source: string,
  path: string,
): FieldError[] {
  const value: unknown = Object.entries(volume).find(([name]) => name === source)?.[1]
  const fields = isPlainObject(value) ? value : {}
  // The server writes the name of the field in another way here.
  const own = source === 'gcePersistentDisk' ? path.replace(/gcePersistentDisk$/, 'persistentDisk') : path
  const missing = (requiredFields[source] ?? []).filter((field) => isEmpty(fields[field]))
  return [
    ...missing.map((field) => required(`${own}.${field}`)),
    ...validatePartition(fields, own),
    ...validateParticulars(volume, source, own),
  ]
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function validatePartition({ partition }: Record<string, unknown>, path: string): FieldError[] {
  if (typeof partition !== 'number' || (partition >= 0 && partition <= 255)) return []
  return [invalid(`${path}.partition`, partition, 'must be between 1 and 255, inclusive')]
}

function validateParticulars(
  { azureDisk, fc, flexVolume, flocker, iscsi, quobyte }: Parameters<typeof validateCloudVolume>[0],
  source: string,
  path: string,
): FieldError[] {
  switch (source) {
    case 'iscsi':
      return [
        ...(iscsi?.iqn ? validateInitiator(iscsi.iqn, `${path}.iqn`) : []),
        ...validateLun(iscsi?.lun, `${path}.lun`),
        ...((iscsi?.chapAuthDiscovery ?? iscsi?.chapAuthSession) && !iscsi?.secretRef
          ? [required(`${path}.secretRef`)]
          : []),
        ...(iscsi?.initiatorName === undefined
          ? []
          : validateInitiator(iscsi.initiatorName, `${path}.initiatorname`)),
      ]
    case 'fc': {
      const targets = fc?.targetWWNs ?? []
      const ids = fc?.wwids ?? []
      const field = `${path}.targetWWNs`
      if (targets.length === 0)
        return ids.length > 0
          ? []
          : [required(field, 'must specify either targetWWNs or wwids, but not both')]
      return [
        ...(ids.length > 0
          ? [invalid(field, targets, 'targetWWNs and wwids can not be specified simultaneously')]
          : []),
        ...(fc?.lun === undefined
          ? [required(`${path}.lun`, 'lun is required if targetWWNs is specified')]
          : validateLun(fc.lun, `${path}.lun`)),
      ]
    }
    case 'flexVolume':
      return Object.keys(flexVolume?.options ?? {})
        .filter((key) => /[.](?:kubernetes|k8s)[.]io$/.test(`.${key.split('/', 2)[0] ?? ''}`.toLowerCase()))
        .map((key) =>
          invalid(keyPath(`${path}.options`, key), key, 'kubernetes.io and k8s.io namespaces are reserved'),
        )
    case 'flocker': {
      const { datasetName = '', datasetUUID = '' } = flocker ?? {}
      return [
        ...(datasetName === '' && datasetUUID === ''
          ? [required(path, 'one of datasetName and datasetUUID is required')]
          : []),
        ...(datasetName !== '' && datasetUUID !== ''
          ? [invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
          : []),
        ...(datasetName.includes('/')
          ? [invalid(`${path}.datasetName`, datasetName, "must not contain '/'")]
          : []),
      ]
    }
    case 'quobyte':
      return validateQuobyte(quobyte ?? {}, path)
    case 'azureDisk':
      return validateAzureDisk(azureDisk ?? {}, path)
    default:
      return []
  }
}

function validateLun(lun: number | undefined, path: string): FieldError[] {
  return lun === undefined || (lun >= 0 && lun <= 255)
    ? []
    : [invalid(path, lun, 'must be between 0 and 255, inclusive')]
}

const initiatorForms: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Fa-f0-9]{16}$/,
  naa: /^naa.[A-Fa-f0-9]{32}$/,
}

function validateInitiator(name: string, path: string): FieldError[] {
  const form = initiatorForms[name.slice(0, 3)]
  if (form === undefined) return [invalid(path, name, 'must be valid format starting with iqn, eui, or naa')]
  return form.test(name) ? [] : [invalid(path, name, 'must be valid format')]
}

function validateQuobyte(
  { registry = '', tenant = '', volume = '' }: NonNullable<View<Volume>['quobyte']>,
  path: string,
): FieldError[] {
  const rule = 'must be a host:port pair or multiple pairs separated by commas'
  const errors: FieldError[] = []
  if (registry === '') errors.push(required(`${path}.registry`, rule))
  else if (tenant.length >= 65)
    errors.push(required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'))
  else
    for (const pair of registry.split(','))
      if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair))
        errors.push(invalid(`${path}.registry`, registry, rule))
  return volume === '' ? [...errors, required(`${path}.volume`)] : errors
}

function validateAzureDisk(
  { cachingMode, kind, diskURI = '' }: NonNullable<View<Volume>['azureDisk']>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  const modes = ['None', 'ReadOnly', 'ReadWrite']
  const kinds = ['Dedicated', 'Managed', 'Shared']
  if (cachingMode !== undefined && !modes.includes(cachingMode))
    errors.push(notSupported(`${path}.cachingMode`, cachingMode, modes))
  if (kind !== undefined && !kinds.includes(kind)) errors.push(notSupported(`${path}.kind`, kind, kinds))
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/'))
    errors.push(
      notSupported(`${path}.diskURI`, diskURI, [
        '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
      ]),
    )
  if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://'))
    errors.push(
      notSupported(`${path}.diskURI`, diskURI, [
        'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
      ]),
    )
  return errors
}
