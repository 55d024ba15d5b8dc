import type { Container, PodSpec } from '../../../kinds/core/v1.js'
import type { View } from '../../builtin/draft.js'

/** A pod as the standards look at it. */
export interface PodUnderCheck {
  readonly annotations: Readonly<Record<string, string | undefined>>
  readonly spec: View<PodSpec>
  /** Of the standards that are asked for. */
  readonly minor: number
}

/** What a pod does that it should not: in one word, and in all detail. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

export interface SecurityCheck {
  readonly id: string
  /** The first minor version whose standards have it. */
  readonly since: number
  /** The checks of the baseline that it takes the place of. */
  readonly replaces?: string
  readonly check: (pod: PodUnderCheck) => Violation | undefined
}

/** A container of any sort. */
export type AnyContainer = View<Container>

/** Texts in quotes, with commas in between. */
export function quoteAll(items: Iterable<string>): string {
  return `"${[...items].join('", "')}"`
}

/** The elements of a set in their order. */
export function sorted(items: ReadonlySet<string>): readonly string[] {
  return [...items].sort()
}

/** The word, with an s unless there is one. */
export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}

/** All containers, in the order of the server's messages. */
export function containersOf({ spec }: PodUnderCheck): readonly AnyContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
}

/** `container "a"`, `containers "a", "b"`. */
export function nameContainers(containers: readonly AnyContainer[]): string {
  return `${plural('container', containers.length)} ${quoteAll(containers.map(({ name }) => name ?? ''))}`
}

/** The pod and the containers that set something, as a text; empty if none does. */
export function settersOf(isPod: boolean, containers: readonly AnyContainer[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [nameContainers(containers)] : [])].join(
    ' and ',
  )
}

/** What only Linux knows is not asked of pods for Windows. */
export function isWindows({ spec, minor }: PodUnderCheck): boolean {
  return minor >= 25 && spec.os?.name === 'windows'
}

/** A pod with users of its own may be what it likes inside. */
export function hasOwnUsers({ spec, minor }: PodUnderCheck): boolean {
  return minor >= 35 && spec.hostUsers === false
}

/** A check of containers one by one. */
export function perContainer(
  reason: string,
  isBad: (container: AnyContainer) => boolean,
  must: string,
): (pod: PodUnderCheck) => Violation | undefined {
  return (pod) => {
    const bad = containersOf(pod).filter(isBad)
    return bad.length === 0 ? undefined : { reason, detail: `${nameContainers(bad)} ${must}` }
  }
}

/** The capabilities that containers add beyond those allowed, and which containers do. */
export function addedCapabilities(
  pod: PodUnderCheck,
  allowed: ReadonlySet<string>,
): { readonly bad: readonly AnyContainer[]; readonly added: ReadonlySet<string> } {
  const added = new Set<string>()
  const bad = containersOf(pod).filter((container) => {
    const beyond = (container.securityContext?.capabilities?.add ?? []).filter((each) => !allowed.has(each))
    for (const each of beyond) added.add(each)
    return beyond.length > 0
  })
  return { bad, added }
}

/** Which containers add which capabilities, as a text. */
export function addingDetail(bad: readonly AnyContainer[], added: ReadonlySet<string>): string {
  return `${nameContainers(bad)} must not include ${quoteAll(sorted(added))} in securityContext.capabilities.add`
}

/** Whether `/proc` is mounted with its masks. */
export function checkProcMount(pod: PodUnderCheck): Violation | undefined {
  const types = new Set<string>()
  const bad = containersOf(pod).filter(({ securityContext }) => {
    const type = securityContext?.procMount
    if (type === undefined || type === 'Default') return false
    types.add(type)
    return true
  })
  if (bad.length === 0) return undefined
  const detail = `${nameContainers(bad)} must not set securityContext.procMount to ${quoteAll(sorted(types))}`
  return { reason: 'procMount', detail }
}

/** Whether system calls are filtered; with `isRequired`, whether that is said. */
export function checkSeccomp(pod: PodUnderCheck, isRequired: boolean): Violation | undefined {
  const values = new Set<string>()
  const isBad = (type: string | undefined): boolean => {
    if (type === undefined || type === 'Localhost' || type === 'RuntimeDefault') return false
    values.add(type)
    return true
  }
  const ofPod = pod.spec.securityContext?.seccompProfile
  const isPod = isBad(ofPod?.type)
  const containers = containersOf(pod)
  const bad = containers.filter(({ securityContext }) => isBad(securityContext?.seccompProfile?.type))
  const setters = settersOf(isPod, bad)
  const reason = 'seccompProfile'
  if (setters !== '')
    return {
      reason,
      detail: `${setters} must not set securityContext.seccompProfile.type to ${quoteAll(sorted(values))}`,
    }
  const silent = containers.filter(({ securityContext }) => securityContext?.seccompProfile === undefined)
  if (!isRequired || ofPod !== undefined || silent.length === 0) return undefined
  return {
    reason,
    detail: `pod or ${nameContainers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  }
}
