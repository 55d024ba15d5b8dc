import type { PodTemplateSpec } from '../../../kinds/core/v1.js'
import type { Draft, View } from '../draft.js'
import { type FieldError, forbidden } from '../field-errors.js'
import { validateAnnotations, validateLabels } from '../metadata-rules.js'
import { defaultPodSpec } from './default-pod-spec.js'
import { validatePodAnnotations, validateProfileFields } from './pod-annotations.js'
import { validatePodSpec } from './pod-spec-rules.js'

/** Fills in what the server fills in of the template of a workload. */
export function defaultPodTemplate(template: Draft<PodTemplateSpec>): void {
  template.spec ??= {}
  defaultPodSpec(template.spec)
}

/** What is wrong with the template of a workload, but for the rules of the workload itself. */
export function validatePodTemplate(template: View<PodTemplateSpec>, path: string): FieldError[] {
  const { metadata, spec = {} } = template
  return [
    ...validateLabels(metadata?.labels, `${path}.labels`),
    ...validateAnnotations(metadata?.annotations, `${path}.annotations`),
    ...validatePodAnnotations(metadata?.annotations, spec, `${path}.annotations`),
    ...validatePodSpec(spec, { podName: '', isTemplate: true }, `${path}.spec`),
    ...validateProfileFields(metadata?.annotations, spec, `${path}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ]
}
