import type { PodTemplate } from '../../../kinds/core/v1.js'
import { draftOf, viewOf } from '../draft.js'
import type { KindRules } from '../kind-rules.js'
import { defaultPodTemplate, validatePodTemplate } from '../pod/pod-template.js'
import { templateWarnings } from '../pod/pod-warnings.js'

export const podTemplateRules: KindRules = {
  hasGeneration: true,
  generationFields: ['template'],
  defaults(draft) {
    defaultPodTemplate((draftOf<PodTemplate>(draft).template ??= {}))
  },
  warnings: (object, old) => templateWarnings(object, old, viewOf<PodTemplate>(object).template, 'template'),
  validateCreate: (object) => validatePodTemplate(viewOf<PodTemplate>(object).template ?? {}, 'template'),
}
