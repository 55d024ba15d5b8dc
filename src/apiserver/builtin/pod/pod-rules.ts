import type { Pod, PodSpec } from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, forbidden, itemPath } from '../field-errors.js'
import { validateImageSpaces } from './container-rules.js'
import { validatePodAnnotations, validateProfileFields } from './pod-annotations.js'
import { validatePodSpec } from './pod-spec-rules.js'

/** What is wrong with a new pod. */
export function validateNewPod(pod: View<Pod>): FieldError[] {
  const { metadata, spec = {} } = pod
  return [
    ...validatePod(pod),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...((spec.nodeName ?? '') !== '' && (spec.schedulingGates ?? []).length > 0
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateProfileFields(metadata?.annotations, spec, 'spec'),
  ]
}

/** What is wrong with a pod, new or not. */
export function validatePod({ metadata, spec = {} }: View<Pod>): FieldError[] {
  return [
    ...validatePodAnnotations(metadata?.annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, { podName: metadata?.name ?? '', isTemplate: false }, 'spec'),
    ...validateTokens(spec),
    ...validateEach(spec.containers, 'spec.containers', validateImageSpaces),
    ...validateEach(spec.initContainers, 'spec.initContainers', validateImageSpaces),
  ]
}

function validateTokens({ serviceAccountName, volumes }: View<PodSpec>): FieldError[] {
  if ((serviceAccountName ?? '') !== '') return []
  return validateEach(volumes, 'spec.volumes', ({ projected }, own) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, index) =>
      serviceAccountToken
        ? [
            forbidden(
              `${itemPath(`${own}.projected.sources`, index)}.serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ]
        : [],
    ),
  )
}
