import type { Volume, VolumeMount } from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, forbidden, invalid, notFound, notSupported, required } from '../field-errors.js'
import type { AnyContainer } from './containers-of.js'
import { validateDescendingPath, validateNoBacksteps } from './path-rules.js'

type Volumes = ReadonlyMap<string, View<Volume>>

/** What is wrong with what a container mounts. `volumes` are those of the pod that are right. */
export function validateMounts(container: AnyContainer, volumes: Volumes, path: string): FieldError[] {
  const devices = container.volumeDevices ?? []
  const used = new Set<string>()
  const list = `${path}.volumeMounts`
  return validateEach(container.volumeMounts, list, (mount, own) => {
    const { name = '', mountPath = '', subPath = '', subPathExpr = '' } = mount
    const errors: FieldError[] = []
    if (name === '') errors.push(required(`${own}.name`))
    if (!volumes.has(name)) errors.push(notFound(`${own}.name`, name))
    if (mountPath === '') errors.push(required(`${own}.mountPath`))
    if (used.has(mountPath)) errors.push(invalid(`${own}.mountPath`, mountPath, 'must be unique'))
    used.add(mountPath)
    if (devices.some((device) => device.name === name))
      errors.push(invalid(`${own}.name`, name, 'must not already exist in volumeDevices'))
    if (devices.some((device) => device.devicePath === mountPath))
      errors.push(invalid(`${own}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'))
    // The server leaves out the index from here on.
    if (subPath !== '') errors.push(...validateDescendingPath(subPath, `${list}.subPath`))
    if (subPathExpr !== '') {
      if (subPath !== '')
        errors.push(
          invalid(`${own}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
        )
      errors.push(...validateDescendingPath(subPathExpr, `${list}.subPathExpr`))
    }
    return [
      ...errors,
      ...validatePropagation(mount, container, `${list}.mountPropagation`),
      ...validateRecursiveReadOnly(mount, `${list}.recursiveReadOnly`),
    ]
  })
}

function validatePropagation(
  { mountPropagation }: View<VolumeMount>,
  container: AnyContainer,
  path: string,
): FieldError[] {
  if (mountPropagation === undefined || mountPropagation === null) return []
  const modes = ['Bidirectional', 'HostToContainer', 'None']
  const errors = modes.includes(mountPropagation) ? [] : [notSupported(path, mountPropagation, modes)]
  if (mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true)
    errors.push(forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'))
  return errors
}

function validateRecursiveReadOnly(mount: View<VolumeMount>, path: string): FieldError[] {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount
  switch (recursiveReadOnly) {
    case undefined:
    case null:
    case 'Disabled':
      return []
    case 'Enabled':
    case 'IfPossible':
      return [
        ...(readOnly === true ? [] : [forbidden(path, 'may only be specified when readOnly is true')]),
        ...((mountPropagation ?? 'None') === 'None'
          ? []
          : [forbidden(path, 'may only be specified when mountPropagation is None or not specified')]),
      ]
    default:
      return [notSupported(path, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible'])]
  }
}

/** What is wrong with the block devices of a container. */
export function validateDevices(container: AnyContainer, volumes: Volumes, path: string): FieldError[] {
  const mounts = container.volumeMounts ?? []
  const paths = new Set<string>()
  const names = new Set<string>()
  return validateEach(
    container.volumeDevices,
    `${path}.volumeDevices`,
    ({ name = '', devicePath = '' }, own) => {
      const errors: FieldError[] = []
      const volume = volumes.get(name)
      if (name === '') errors.push(required(`${own}.name`))
      if (names.has(name)) errors.push(invalid(`${own}.name`, name, 'must be unique'))
      if (volume === undefined) errors.push(notFound(`${own}.name`, name))
      else if (!volume.persistentVolumeClaim && !volume.ephemeral)
        errors.push(
          invalid(
            `${own}.name`,
            name,
            'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
          ),
        )
      if (devicePath === '') errors.push(required(`${own}.devicePath`))
      if (paths.has(devicePath)) errors.push(invalid(`${own}.devicePath`, devicePath, 'must be unique'))
      if (validateNoBacksteps(devicePath, '').length > 0)
        errors.push(invalid(`${own}.devicePath`, devicePath, "can not contain backsteps ('..')"))
      else paths.add(devicePath)
      if (mounts.some((mount) => mount.name === name))
        errors.push(invalid(`${own}.name`, name, 'must not already exist in volumeMounts'))
      if (mounts.some((mount) => mount.mountPath === devicePath))
        errors.push(
          invalid(`${own}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'),
        )
      if (name !== '') names.add(name)
      return errors
    },
  )
}
