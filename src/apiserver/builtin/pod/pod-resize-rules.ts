import { deepCopy, deepEqual } from '../../../base/index.js'
import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../kinds/core/v1.js'
import type { Draft, View } from '../draft.js'
import { type FieldError, forbidden, invalid, itemPath } from '../field-errors.js'
import { isMirror } from './pod-annotations.js'
import { validatePod } from './pod-rules.js'
import { qosClassOf } from './qos.js'

const lists = ['initContainers', 'containers'] as const

/** What is wrong with new requests and limits for a pod that is there already. Only CPU and memory may change. */
export function validatePodResize(pod: View<Pod>, old: View<Pod>): FieldError[] {
  const { spec = {} } = pod
  const { spec: oldSpec = {} } = old
  if (isMirror(old.metadata?.annotations)) return [forbidden('[]', 'static pods cannot be resized')]
  if (oldSpec.os?.name === 'windows') return [forbidden('[]', 'windows pods cannot be resized')]
  const errors = validatePod(pod)
  const qosClass = old.status?.qosClass ?? qosClassOf(oldSpec)
  if (qosClass !== qosClassOf(spec))
    errors.push(
      invalid('spec', pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'),
    )
  if (!isSupported(old)) errors.push(forbidden('spec', 'Pod running on node without support for resize'))
  errors.push(...validateWholePod(spec, oldSpec))
  const order = validateOrder(spec, oldSpec)
  if (order.length > 0) return [...errors, ...order]
  for (const list of lists)
    for (const [index, container] of (oldSpec[list] ?? []).entries())
      errors.push(
        ...validateNothingRemoved(
          spec[list]?.[index]?.resources,
          container.resources,
          `${itemPath(`spec.${list}`, index)}.resources`,
        ),
      )
  errors.push(...validateOnlyComputeChanges(spec, oldSpec))
  return errors
}

/** A kubelet that can do it tells what each running container has. */
function isSupported({ status }: View<Pod>): boolean {
  const running = (status?.containerStatuses ?? []).find(({ state }) => state?.running)
  return running === undefined || running.resources !== undefined
}

function validateOrder(spec: View<PodSpec>, old: View<PodSpec>): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((list) => {
    const containers = spec[list] ?? []
    const before = old[list] ?? []
    if (containers.length !== before.length)
      return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)]
    return before.flatMap(({ name }, index) =>
      containers[index]?.name === name
        ? []
        : [
            forbidden(
              `${itemPath(`spec.${list}`, index)}.name`,
              `${list} may not be renamed or reordered on resize`,
            ),
          ],
    )
  })
}

type Requirements = View<ResourceRequirements> | undefined

function isRemoved(now: Requirements, before: Requirements, side: 'requests' | 'limits'): boolean {
  return Object.keys(before?.[side] ?? {}).some((name) => now?.[side]?.[name] === undefined)
}

function validateNothingRemoved(now: Requirements, before: Requirements, path: string): FieldError[] {
  return (['requests', 'limits'] as const)
    .filter((side) => isRemoved(now, before, side))
    .map((side) => forbidden(`${path}.${side}`, `resource ${side} cannot be removed`))
}

function validateWholePod({ resources }: View<PodSpec>, { resources: old }: View<PodSpec>): FieldError[] {
  if (!resources && !old) return []
  if (!resources) return [forbidden('spec.resources', 'pod-level resources cannot be removed')]
  const removed = (['requests', 'limits'] as const)
    .filter((side) => isRemoved(resources, old, side))
    .map((side) => forbidden(`spec.resources.${side}`, `pod-level resource ${side} cannot be removed`))
  const isSame = deepEqual(withoutCompute(resources), withoutCompute(old))
  return isSame
    ? removed
    : [...removed, forbidden('spec', 'only cpu and memory resources are mutable at pod-level')]
}

/** Requirements without what may change, and nothing at all where nothing else was asked for. */
function withoutCompute(requirements: Requirements): object {
  const rest = (side: 'requests' | 'limits'): [string, unknown][] =>
    Object.entries(requirements?.[side] ?? {}).filter(([name]) => name !== 'cpu' && name !== 'memory')
  return { requests: rest('requests'), limits: rest('limits'), claims: requirements?.claims ?? [] }
}

function validateOnlyComputeChanges(spec: View<PodSpec>, old: View<PodSpec>): FieldError[] {
  const errors: FieldError[] = []
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const before = old[list]?.[index] ?? {}
      if (!deepEqual(withoutResources(container), withoutResources(before)))
        errors.push(
          list === 'containers'
            ? forbidden('spec', 'only cpu and memory resources are mutable')
            : forbidden(
                itemPath('spec.initContainers', index),
                'only cpu and memory resources for init or sidecar containers are mutable',
              ),
        )
      const restarts = (container.resizePolicy ?? []).some(
        ({ restartPolicy }) => restartPolicy === 'RestartContainer',
      )
      const isSidecar = list === 'containers' || container.restartPolicy === 'Always'
      if (!isSidecar && restarts && !deepEqual(container, before))
        errors.push(
          forbidden(
            itemPath('spec.initContainers', index),
            'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
          ),
        )
    }
  }
  return errors
}

function withoutResources({ resources, ...rest }: View<Container>): object {
  return { ...rest, resources: withoutCompute(resources) }
}

/** Puts everything back but what a resize is about. Leaves a pod with other containers as it is: it is refused. */
export function keepAllButResources(spec: Draft<PodSpec>, old: View<PodSpec>): Draft<PodSpec> {
  const isSame = lists.every((list) => {
    const containers = spec[list] ?? []
    const before = old[list] ?? []
    return (
      containers.length === before.length &&
      containers.every(({ name }, index) => name === before[index]?.name)
    )
  })
  if (!isSame) return spec
  // A copy of plain data, which is writable whatever the view says.
  const kept = deepCopy(old) as Draft<PodSpec>
  if (spec.resources === undefined) delete kept.resources
  else kept.resources = spec.resources
  for (const list of lists)
    for (const [index, container] of (kept[list] ?? []).entries()) {
      const { resources, resizePolicy } = spec[list]?.[index] ?? {}
      container.resources = resources ?? {}
      if (resizePolicy === undefined) delete container.resizePolicy
      else container.resizePolicy = resizePolicy
    }
  return kept
}
