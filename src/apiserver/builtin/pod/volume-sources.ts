import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, forbidden, invalid, notSupported, required } from '../field-errors.js'
import { fileFields, validateFieldRef, validateResourceFieldRef } from './env-rules.js'
import { validateFilePath, validateNoBacksteps } from './path-rules.js'

const modeRule = 'must be a number between 0 and 0777 (octal), both inclusive'

export function validateMode(mode: number | undefined, path: string): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= 0o777) ? [] : [invalid(path, mode, modeRule)]
}

/** Of the volumes that ConfigMaps and Secrets are. */
export function validateKeyedSource(
  name: string | undefined,
  source: Pick<View<ConfigMapVolumeSource>, 'defaultMode' | 'items'>,
  path: string,
  nameField: string,
): FieldError[] {
  return [
    ...((name ?? '') === '' ? [required(`${path}.${nameField}`)] : []),
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...validateEach(source.items, `${path}.items`, validateKeyToPath),
  ]
}

function validateKeyToPath(item: View<KeyToPath>, path: string): FieldError[] {
  const { key = '', path: file = '', mode } = item
  return [
    ...(key === '' ? [required(`${path}.key`)] : []),
    ...(file === '' ? [required(`${path}.path`)] : []),
    ...validateFilePath(file, `${path}.path`),
    ...validateMode(mode, `${path}.mode`),
  ]
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

export function validateHostPath(
  { path: target = '', type }: NonNullable<View<Volume>['hostPath']>,
  path: string,
): FieldError[] {
  if (target === '') return [required(`${path}.path`)]
  return [
    ...validateNoBacksteps(target, `${path}.path`),
    ...(type === undefined || hostPathTypes.includes(type)
      ? []
      : [notSupported(`${path}.type`, type, hostPathTypes)]),
  ]
}

/** The server names the list of files, not the file. */
export function validateDownwardFile(file: View<DownwardAPIVolumeFile>, path: string): FieldError[] {
  const { path: target = '', fieldRef, resourceFieldRef, mode } = file
  const errors = [
    ...(target === '' ? [required(`${path}.path`)] : []),
    ...validateFilePath(target, `${path}.path`),
  ]
  if (fieldRef) {
    errors.push(...validateFieldRef(fieldRef, fileFields, `${path}.fieldRef`))
    if (resourceFieldRef)
      errors.push(
        invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
      )
  } else if (resourceFieldRef) {
    errors.push(
      ...validateResourceFieldRef(resourceFieldRef, `${path}.resourceFieldRef`, { needsContainer: true }),
    )
  } else {
    errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'))
  }
  return [...errors, ...validateMode(mode, `${path}.mode`)]
}

export function validateProjected(projected: View<ProjectedVolumeSource>, path: string): FieldError[] {
  const taken = new Set<string>()
  return [
    ...validateMode(projected.defaultMode, `${path}.defaultMode`),
    ...validateEach(projected.sources, `${path}.sources`, (source, own) =>
      validateProjection(source, taken, own, path),
    ),
  ]
}

function validateProjection(
  source: View<VolumeProjection>,
  taken: Set<string>,
  path: string,
  volumePath: string,
): FieldError[] {
  const errors: FieldError[] = []
  const take = (file: string | undefined, shown: string): void => {
    if (file === undefined || file === '') return
    if (taken.has(file)) errors.push(invalid(volumePath, shown, 'conflicting duplicate paths'))
    taken.add(file)
  }
  for (const kind of ['secret', 'configMap'] as const) {
    const part = source[kind]
    if (!part) continue
    const { name = '', items } = part
    if (name === '') errors.push(required(`${path}.${kind}.name`))
    for (const [index, item] of (items ?? []).entries()) {
      errors.push(...validateKeyToPath(item, `${path}.${kind}.items[${index}]`))
      take(item.path, name)
    }
  }
  for (const file of source.downwardAPI?.items ?? []) {
    errors.push(...validateDownwardFile(file, `${path}.downwardAPI`))
    take(file.path, file.path ?? '')
  }
  const token = source.serviceAccountToken
  if (token) {
    const own = `${path}.serviceAccountToken.expirationSeconds`
    const seconds = token.expirationSeconds ?? 0
    if (seconds < 600) errors.push(invalid(own, seconds, 'may not specify a duration less than 10 minutes'))
    if (seconds > 2 ** 32)
      errors.push(invalid(own, seconds, 'may not specify a duration larger than 2^32 seconds'))
    const file = token.path ?? ''
    if (file === '') errors.push(required(`${volumePath}.path`))
    else errors.push(...validateFilePath(file, `${volumePath}.path`))
  }
  const parts = [source.secret, source.configMap, source.downwardAPI, token].filter(Boolean)
  if (parts.length > 1) errors.push(forbidden(path, 'may not specify more than 1 volume type per source'))
  return errors
}
