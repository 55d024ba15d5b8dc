import type { PodTemplate } from '../../../kinds/core/v1.js'
import { draftOf, viewOf } from '../draft.js'
import type { KindRules } from '../kind-rules.js'
import { defaultPodTemplate, validatePodTemplate } from '../pod/pod-template.js'
import { podWarnings } from '../pod/pod-warnings.js'

export const podTemplateRules: KindRules = {
  hasGeneration: true,
  generationFields: ['template'],
  defaults(draft) {
    defaultPodTemplate((draftOf<PodTemplate>(draft).template ??= {}))
  },
  prepareForCreate(draft, context) {
    for (const text of podWarnings(viewOf<PodTemplate>(draft).template ?? {}, 'template')) context.warn(text)
  },
  validateCreate: (object) => validatePodTemplate(viewOf<PodTemplate>(object).template ?? {}, 'template'),
}
