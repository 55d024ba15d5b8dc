import type { PodSpec, SeccompProfile } from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { type FieldError, forbidden, invalid, keyPath } from '../field-errors.js'
import { allContainers } from './containers-of.js'
import { validateDescendingPath } from './path-rules.js'

export type Annotations = Readonly<Record<string, string | undefined>> | undefined

const mirrorKey = 'kubernetes.io/config.mirror'
const costKey = 'controller.kubernetes.io/pod-deletion-cost'
export const seccompPodKey = 'seccomp.security.alpha.kubernetes.io/pod'
export const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/'
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

/** Whether the pod stands for one that a kubelet runs of its own accord. */
export function isMirror(annotations: Annotations): boolean {
  return annotations?.[mirrorKey] !== undefined
}

/** What is wrong with annotations that mean something for a pod. */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: View<PodSpec>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  const mirror = annotations?.[mirrorKey]
  if (mirror !== undefined && (spec.nodeName ?? '') === '')
    errors.push(
      invalid(keyPath(path, mirrorKey), mirror, 'must set spec.nodeName if mirror pod annotation is set'),
    )
  const cost = annotations?.[costKey]
  if (cost !== undefined && !isDeletionCost(cost))
    errors.push(invalid(keyPath(path, costKey), cost, 'must be a 32bit integer'))
  return [...errors, ...validateProfiles(annotations, spec, path)]
}

function isDeletionCost(text: string): boolean {
  if (text === '' || !/^(?:0|-?[1-9]\d*)$/.test(text)) return false
  const cost = Number(text)
  return cost >= -(2 ** 31) && cost < 2 ** 31
}

function validateProfiles(annotations: Annotations, spec: View<PodSpec>, path: string): FieldError[] {
  const names = new Set(allContainers(spec, '').map(({ container }) => container.name ?? ''))
  return Object.entries(annotations ?? {}).flatMap(([key, value = '']) => {
    if (key === seccompPodKey || key.startsWith(seccompContainerPrefix))
      return validateSeccompText(value, `${path}.${key}`)
    if (!key.startsWith(appArmorPrefix)) return []
    const name = key.slice(appArmorPrefix.length)
    return [
      ...(names.has(name) ? [] : [invalid(keyPath(path, key), name, 'container not found')]),
      ...(/^(?:|runtime\/default|unconfined|localhost\/.*)$/s.test(value)
        ? []
        : [invalid(keyPath(path, key), value, `invalid AppArmor profile name: ${JSON.stringify(value)}`)]),
    ]
  })
}

function validateSeccompText(profile: string, path: string): FieldError[] {
  if (profile === 'runtime/default' || profile === 'docker/default' || profile === 'unconfined') return []
  if (profile.startsWith('localhost/'))
    return validateDescendingPath(profile.slice('localhost/'.length), path)
  return [invalid(path, profile, 'must be a valid seccomp profile')]
}

/** Old annotations and the fields that took their place must not say different things. */
export function validateProfileFields(
  annotations: Annotations,
  spec: View<PodSpec>,
  path: string,
): FieldError[] {
  const ofPod = spec.securityContext
  const podErrors = ofPod?.seccompProfile
    ? seccompMismatch(
        annotations?.[seccompPodKey],
        ofPod.seccompProfile,
        `${path}.securityContext.seccompProfile`,
      )
    : []
  const containers = allContainers(spec, path)
  const seccomp = containers.flatMap(({ container, path: own }) =>
    container.securityContext?.seccompProfile
      ? seccompMismatch(
          annotations?.[seccompContainerPrefix + (container.name ?? '')],
          container.securityContext.seccompProfile,
          `${own}.securityContext.seccompProfile`,
        )
      : [],
  )
  if (spec.os?.name === 'windows') return [...podErrors, ...seccomp]
  const appArmor = containers.flatMap(({ container, path: own }) => {
    const profile = container.securityContext?.appArmorProfile ?? ofPod?.appArmorProfile
    const text = annotations?.[appArmorPrefix + (container.name ?? '')]
    if (!profile || text === undefined) return []
    const field = `${own}.securityContext.appArmorProfile`
    const expected = { Unconfined: 'unconfined', RuntimeDefault: 'runtime/default' }[profile.type ?? '']
    if (expected !== undefined)
      return text === expected
        ? []
        : [forbidden(`${field}.type`, 'apparmor type in annotation and field must match')]
    if (profile.type !== 'Localhost') return []
    if (!text.startsWith('localhost/'))
      return [forbidden(`${field}.type`, 'apparmor type in annotation and field must match')]
    return text.slice('localhost/'.length) === profile.localhostProfile
      ? []
      : [forbidden(`${field}.localhostProfile`, 'apparmor profile in annotation and field must match')]
  })
  return [...podErrors, ...seccomp, ...appArmor]
}

function seccompMismatch(
  text: string | undefined,
  profile: View<SeccompProfile>,
  path: string,
): FieldError[] {
  if (text === undefined) return []
  const wrongType = [forbidden(`${path}.type`, 'seccomp type in annotation and field must match')]
  switch (profile.type) {
    case 'Unconfined':
      return text === 'unconfined' ? [] : wrongType
    case 'RuntimeDefault':
      return text === 'runtime/default' || text === 'docker/default' ? [] : wrongType
    case 'Localhost':
      if (!text.startsWith('localhost/')) return wrongType
      return text.slice('localhost/'.length) === profile.localhostProfile
        ? []
        : [forbidden(`${path}.localhostProfile`, 'seccomp profile in annotation and field must match')]
    default:
      return []
  }
}

/** Annotations that mean something are set once and for all. */
export function validateAnnotationChanges(
  annotations: Annotations,
  old: Annotations,
  path: string,
): FieldError[] {
  const isProfile = (key: string): boolean => key.startsWith(appArmorPrefix)
  const removed = Object.keys(old ?? {}).filter((key) => annotations?.[key] !== old?.[key])
  const added = Object.keys(annotations ?? {}).filter((key) => old?.[key] === undefined)
  return [
    ...removed.flatMap((key) => [
      ...(isProfile(key)
        ? [forbidden(keyPath(path, key), 'may not remove or update AppArmor annotations')]
        : []),
      ...(key === mirrorKey
        ? [forbidden(keyPath(path, key), 'may not remove or update mirror pod annotation')]
        : []),
    ]),
    ...added.flatMap((key) => [
      ...(isProfile(key) ? [forbidden(keyPath(path, key), 'may not add AppArmor annotations')] : []),
      ...(key === mirrorKey ? [forbidden(keyPath(path, key), 'may not add mirror pod annotation')] : []),
    ]),
  ]
}
