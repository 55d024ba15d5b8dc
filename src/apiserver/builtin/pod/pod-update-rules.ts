import { deepCopy, deepEqual } from '../../../base/index.js'
import type {
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSchedulingGate,
  PodSpec,
  Toleration,
} from '../../../kinds/core/v1.js'
import type { Draft, View } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, forbidden, invalid, itemPath, required } from '../field-errors.js'
import { specDiff } from '../spec-diff.js'
import { validateImageSpaces } from './container-rules.js'
import { validateAnnotationChanges, validatePodAnnotations } from './pod-annotations.js'
import { validatePod } from './pod-rules.js'
import { validateTolerations } from './scheduling-rules.js'

const highestInt32 = 2_147_483_647

const changeable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** What is wrong with a change of a pod. Little of it may change once it is there. */
export function validatePodUpdate(pod: View<Pod>, old: View<Pod>): FieldError[] {
  const { metadata, spec = {} } = pod
  const { metadata: oldMetadata, spec: oldSpec = {} } = old
  const errors = [
    ...validatePod(pod),
    ...validateAnnotationChanges(metadata?.annotations, oldMetadata?.annotations, 'metadata.annotations'),
    ...validatePodAnnotations(metadata?.annotations, spec, 'metadata.annotations'),
  ]
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list] ?? []
    if (containers.length !== (oldSpec[list] ?? []).length)
      return [...errors, forbidden(`spec.${list}`, 'pod updates may not add or remove containers')]
    errors.push(
      ...validateEach(containers, `spec.${list}`, (container, own) => [
        ...((container.image ?? '') === '' ? [required(`${own}.image`)] : []),
        ...validateImageSpaces(container, own),
      ]),
    )
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds)
  errors.push(...deadline)
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return errors
  errors.push(
    ...validateAddedTolerations(spec.tolerations ?? [], oldSpec.tolerations ?? []),
    ...validateRemovedGates(spec.schedulingGates ?? [], oldSpec.schedulingGates ?? []),
  )
  return deepEqual(spec, oldSpec) ? errors : [...errors, ...validateRest(spec, oldSpec)]
}

function validateDeadline(deadline: number | undefined, old: number | undefined): FieldError[] {
  const path = 'spec.activeDeadlineSeconds'
  if (deadline === undefined)
    return old === undefined
      ? []
      : [invalid(path, null, 'must not update from a positive integer to nil value')]
  if (deadline < 0 || deadline > highestInt32)
    return [invalid(path, deadline, `must be between 0 and ${highestInt32}, inclusive`)]
  return old !== undefined && old < deadline
    ? [invalid(path, deadline, 'must be less than or equal to previous value')]
    : []
}

function validateAddedTolerations(
  tolerations: readonly View<Toleration>[],
  old: readonly View<Toleration>[],
): FieldError[] {
  const without = (toleration: View<Toleration>): object => ({ ...toleration, tolerationSeconds: undefined })
  const isKept = old.every((was) => tolerations.some((now) => deepEqual(without(was), without(now))))
  if (isKept) return validateTolerations(tolerations, 'spec.tolerations')
  return [
    forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
  ]
}

function validateRemovedGates(
  gates: readonly View<PodSchedulingGate>[],
  old: readonly View<PodSchedulingGate>[],
): FieldError[] {
  return gates.flatMap(({ name = '' }, index) =>
    old.some((gate) => gate.name === name)
      ? []
      : [
          forbidden(
            `${itemPath('spec.schedulingGates', index)}.name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  )
}

/** Everything but what may change must be as it was. */
function validateRest(spec: View<PodSpec>, old: View<PodSpec>): FieldError[] {
  const errors: FieldError[] = []
  // A copy of plain data, which is writable whatever the view says.
  const masked = deepCopy(spec) as Draft<PodSpec>
  const stored = deepCopy(old) as Draft<PodSpec>
  for (const list of ['containers', 'initContainers'] as const)
    for (const [index, container] of (masked[list] ?? []).entries())
      container.image = stored[list]?.[index]?.image
  masked.activeDeadlineSeconds = stored.activeDeadlineSeconds
  masked.schedulingGates = stored.schedulingGates
  masked.tolerations = stored.tolerations
  if ((stored.terminationGracePeriodSeconds ?? 0) < 0 && masked.terminationGracePeriodSeconds === 1)
    masked.terminationGracePeriodSeconds = stored.terminationGracePeriodSeconds
  if ((old.schedulingGates ?? []).length > 0) {
    if (!deepEqual(masked.nodeSelector, stored.nodeSelector)) {
      errors.push(...validateNodeSelectorChange(spec, old))
      masked.nodeSelector = stored.nodeSelector
    }
    if (!deepEqual(masked.affinity?.nodeAffinity, stored.affinity?.nodeAffinity)) {
      errors.push(...validateNodeAffinityChange(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity))
      const { podAffinity, podAntiAffinity } = masked.affinity ?? {}
      const isOnlyNode = podAffinity === undefined && podAntiAffinity === undefined
      if (stored.affinity === undefined && isOnlyNode) masked.affinity = undefined
      else masked.affinity = { ...masked.affinity, nodeAffinity: stored.affinity?.nodeAffinity }
    }
  }
  if (!deepEqual(masked, stored))
    errors.push(
      forbidden(
        'spec',
        `pod updates may not change fields other than ${changeable}\n${specDiff('PodSpec', stored, masked)}`,
      ),
    )
  return errors
}

function validateNodeSelectorChange(spec: View<PodSpec>, old: View<PodSpec>): FieldError[] {
  const isKept = Object.entries(old.nodeSelector ?? {}).every(
    ([key, value]) => spec.nodeSelector?.[key] === value,
  )
  return isKept
    ? []
    : [
        invalid(
          'spec.nodeSelector',
          spec.nodeSelector ?? null,
          'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
        ),
      ]
}

/** A pod that waits may be bound to fewer nodes, never to others. */
function validateNodeAffinityChange(
  affinity: View<NodeAffinity> | undefined,
  old: View<NodeAffinity> | undefined,
): FieldError[] {
  const before = old?.requiredDuringSchedulingIgnoredDuringExecution
  if (!before) return []
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const oldTerms = before.nodeSelectorTerms ?? []
  if (oldTerms.length > 0 && terms.length !== oldTerms.length)
    return [invalid(path, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')]
  return oldTerms.flatMap((term, index) =>
    isNarrower(terms[index] ?? {}, term)
      ? []
      : [
          invalid(
            itemPath(path, index),
            terms[index] ?? null,
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  )
}

function isNarrower(term: View<NodeSelectorTerm>, old: View<NodeSelectorTerm>): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const
  const wasEmpty = lists.every((list) => (old[list] ?? []).length === 0)
  if (wasEmpty) return lists.every((list) => (term[list] ?? []).length === 0)
  return lists.every((list) =>
    (old[list] ?? []).every((requirement, index) => deepEqual(requirement, term[list]?.[index])),
  )
}
