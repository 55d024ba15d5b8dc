import { deepEqual } from '../../../base/index.js'
import type { AppArmorProfile, Pod, PodSpec } from '../../../kinds/core/v1.js'
import type { Draft, View } from '../draft.js'
import { keyPath } from '../field-errors.js'
import { type AnyContainer } from './containers-of.js'
import { type Annotations, appArmorPrefix, seccompContainerPrefix, seccompPodKey } from './pod-annotations.js'
import { validateAppArmor } from './security-rules.js'

const oldAppArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead'
const oldSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead'

/** Gives containers the AppArmor profiles that annotations name, where no field does. Warns of each. */
export function adoptAppArmorProfiles({ metadata, spec }: Draft<Pod>, warn: (text: string) => void): void {
  const annotations = metadata?.annotations
  if (annotations === undefined || spec === undefined || spec.os?.name === 'windows') return
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const container of spec[list] ?? []) {
      const key = `${appArmorPrefix}${container.name ?? ''}`
      const text = annotations[key]
      if (text === undefined || container.securityContext?.appArmorProfile) continue
      const profile = profileOf(text)
      const isValid = profile !== undefined && validateAppArmor(profile, '').length === 0
      // The one of the pod does as well.
      if (isValid && deepEqual(profile, spec.securityContext?.appArmorProfile)) continue
      if (isValid) (container.securityContext ??= {}).appArmorProfile = profile
      warn(`${keyPath('metadata.annotations', key)}: ${oldAppArmor}`)
    }
  }
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  const localhostProfile = /^localhost\/(.+)$/s.exec(annotation)?.[1]
  return localhostProfile === undefined ? undefined : { type: 'Localhost', localhostProfile }
}

/** What the server warns of in the annotation of a pod's seccomp profile. */
export function podProfileWarnings(annotations: Annotations, spec: View<PodSpec>, path: string): string[] {
  if (spec.securityContext?.seccompProfile || annotations?.[seccompPodKey] === undefined) return []
  return [`${keyPath(path, seccompPodKey)}: ${oldSeccomp}`]
}

/** The same for a container. Of a pod, AppArmor profiles have been adopted, and warned of, before. */
export function containerProfileWarnings(
  { name = '', securityContext }: AnyContainer,
  about: {
    readonly annotations: Annotations
    readonly spec: View<PodSpec>
    readonly path: string
    readonly isTemplate: boolean
  },
): string[] {
  const { annotations, spec, path, isTemplate } = about
  const [seccompKey, appArmorKey] = [`${seccompContainerPrefix}${name}`, `${appArmorPrefix}${name}`]
  const hasOldSeccomp = !securityContext?.seccompProfile && annotations?.[seccompKey] !== undefined
  const appArmor = securityContext?.appArmorProfile ? undefined : annotations?.[appArmorKey]
  const ofPod = spec.securityContext?.appArmorProfile
  const hasOldAppArmor =
    isTemplate && appArmor !== undefined && !(ofPod && deepEqual(ofPod, profileOf(appArmor)))
  return [
    ...(hasOldSeccomp ? [`${keyPath(path, seccompKey)}: ${oldSeccomp}`] : []),
    ...(hasOldAppArmor ? [`${keyPath(path, appArmorKey)}: ${oldAppArmor}`] : []),
  ]
}
