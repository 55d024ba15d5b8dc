import type { PodTemplateSpec } from '../../../kinds/core/v1.js'
import type { Draft, View } from '../draft.js'
import type { FieldError } from '../field-errors.js'
import { defaultPodSpec } from './default-pod-spec.js'

/** Fills in what the server fills in of the template of a workload. */
export function defaultPodTemplate(template: Draft<PodTemplateSpec>): void {
  template.spec ??= {}
  defaultPodSpec(template.spec)
}

/** What is wrong with the template of a workload, but for the rules of the workload itself. */
export function validatePodTemplate(_template: View<PodTemplateSpec>, _path: string): FieldError[] {
  return []
}
