import { deepCopy, deepEqual } from '../../../base/index.js'
import type { Pod, Toleration } from '../../../kinds/core/v1.js'
import type { RuntimeClass } from '../../../kinds/node.k8s.io/v1.js'
import { quoteText } from '../../../schema/index.js'
import { type Draft, draftOf, type View, viewOf } from '../../builtin/draft.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { refused } from '../refusal.js'
import { isWriteOf } from './target.js'

/** Gives a pod what its runtime class says about overhead and scheduling. */
export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  handles: (request) => request.operation === 'CREATE' && isWriteOf(request, 'pods'),
  mutate(request, context) {
    const { object } = request
    if (object === undefined) return
    const found = findClass(request, context)
    if (found === undefined) return
    const spec = (draftOf<Pod>(object).spec ??= {})
    const podFixed = found.overhead?.podFixed
    if (found.overhead !== undefined) {
      if (Object.keys(spec.overhead ?? {}).length > 0 && !deepEqual(spec.overhead, podFixed))
        throw refused(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
      if (podFixed !== undefined) spec.overhead = copyOf(podFixed)
    }
    if (found.scheduling !== undefined) setScheduling(spec, found.scheduling, request)
  },
  validate(request, context) {
    const { object } = request
    if (object === undefined) return
    const found = findClass(request, context)
    const overhead = viewOf<Pod>(object).spec?.overhead
    if (found?.overhead === undefined) {
      if (overhead !== undefined)
        throw refused(
          request,
          'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
        )
    } else if (!deepEqual(found.overhead.podFixed, overhead)) {
      throw refused(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
    }
  },
}

function copyOf<T>(map: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const entries = Object.entries(map).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return Object.fromEntries(entries)
}

function findClass(request: AdmissionRequest, { cluster }: AdmissionContext): View<RuntimeClass> | undefined {
  const name = request.object === undefined ? undefined : viewOf<Pod>(request.object).spec?.runtimeClassName
  if (name === undefined) return undefined
  const stored = cluster.get('runtimeclasses.node.k8s.io', '', name)
  if (stored === undefined) throw refused(request, `pod rejected: RuntimeClass ${quoteText(name)} not found`)
  return viewOf<RuntimeClass>(stored)
}

function setScheduling(
  spec: NonNullable<Draft<Pod>['spec']>,
  scheduling: NonNullable<View<RuntimeClass>['scheduling']>,
  request: AdmissionRequest,
): void {
  const wanted = copyOf(scheduling.nodeSelector ?? {})
  const selector = copyOf(spec.nodeSelector ?? {})
  for (const [key, value] of Object.entries(wanted)) {
    if (Object.hasOwn(selector, key) && selector[key] !== value)
      throw refused(
        request,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${selector[key]}`,
      )
  }
  const merged = { ...selector, ...wanted }
  if (Object.keys(merged).length > 0) spec.nodeSelector = merged
  const given = spec.tolerations ?? []
  // Classes hold tolerations of the same shape as pods; a copy keeps the stored one from being changed.
  const added = deepCopy(scheduling.tolerations ?? []) as Draft<Toleration>[]
  const missing = added.filter((toleration) => !given.some((each) => deepEqual(each, toleration)))
  if (missing.length > 0) spec.tolerations = [...given, ...missing]
}
