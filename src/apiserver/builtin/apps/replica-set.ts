import type { ReplicaSet, ReplicaSetSpec } from '../../../kinds/apps/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, invalidAs } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { nameWarnings } from '../name-warnings.js'
import { defaultPodTemplate } from '../pod/pod-template.js'
import { templateWarnings } from '../pod/pod-warnings.js'
import { replicaScale } from '../replica-scale.js'
import { shownSelector } from '../shown-selector.js'
import { validateNonNegative } from '../value-rules.js'
import {
  selectorTerms,
  validateRequiredSelector,
  validateSameSelector,
  validateSelected,
  validateServiceTemplate,
} from '../workload-rules.js'
import { validateCounts, validateWithin } from './status-rules.js'

export const replicaSetRules: KindRules = {
  hasGeneration: true,
  scale: replicaScale,
  defaults(draft) {
    const { spec = {} } = draftOf<ReplicaSet>(draft)
    spec.replicas ??= 1
    if (spec.template !== undefined) defaultPodTemplate(spec.template)
  },
  warnings: (object, old) => [
    ...(old === undefined ? nameWarnings(object) : []),
    ...templateWarnings(object, old, viewOf<ReplicaSet>(object).spec?.template),
  ],
  validateCreate: (object) => validateSpec(viewOf<ReplicaSet>(object).spec ?? {}),
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<ReplicaSet>(object)
    return [
      ...validateSpec(spec),
      ...validateSameSelector(spec.selector, viewOf<ReplicaSet>(old).spec?.selector),
    ]
  },
  validateStatusUpdate(object) {
    const { status = {} } = viewOf<ReplicaSet>(object)
    return [
      ...validateCounts(status, [
        'replicas',
        'fullyLabeledReplicas',
        'readyReplicas',
        'availableReplicas',
        'observedGeneration',
        'terminatingReplicas',
      ]),
      ...validateWithin(
        status,
        ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
        'readyReplicas',
      ),
    ]
  },
}

function validateSpec(spec: View<ReplicaSetSpec>): FieldError[] {
  const { selector, template = {} } = spec
  return [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    // The word is the server's.
    ...validateRequiredSelector(selector, 'deployment', 'spec.selector'),
    ...(selectorTerms(selector) === undefined
      ? [invalidAs('spec.selector', shownSelector(selector), 'invalid label selector')]
      : [
          ...validateSelected(selector, template, 'spec.template'),
          ...validateServiceTemplate(template, 'spec.template'),
        ]),
  ]
}
