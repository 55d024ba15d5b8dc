import type { ReplicationController, ReplicationControllerSpec } from '../../../kinds/core/v1.js'
import { formatLabelSelector } from '../../../objects/index.js'
import { validateCounts, validateWithin } from '../apps/status-rules.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, invalid, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { nameWarnings } from '../name-warnings.js'
import { defaultPodTemplate, validatePodTemplate } from '../pod/pod-template.js'
import { templateWarnings } from '../pod/pod-warnings.js'
import { createReplicaScale } from '../replica-scale.js'
import { validateNonNegative } from '../value-rules.js'
import { validateRunsForEver } from '../workload-rules.js'

export const replicationControllerRules: KindRules = {
  hasGeneration: true,
  orphansDependents: true,
  scale: createReplicaScale((object) => {
    const { selector = {} } = viewOf<ReplicationController>(object).spec ?? {}
    // Decoded maps of texts have no undefined members.
    return formatLabelSelector({ matchLabels: selector as Record<string, string> })
  }),
  defaults(draft) {
    const controller = draftOf<ReplicationController>(draft)
    const spec = (controller.spec ??= {})
    const labels = spec.template?.metadata?.labels
    if (labels !== undefined) {
      if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels }
      if (Object.keys(draft.metadata.labels ?? {}).length === 0)
        // Decoded maps of texts have no undefined members.
        draft.metadata.labels = { ...(labels as Record<string, string>) }
    }
    spec.replicas ??= 1
    if (spec.template !== undefined) defaultPodTemplate(spec.template)
  },
  warnings: (object, old) => [
    ...(old === undefined ? nameWarnings(object) : []),
    ...templateWarnings(object, old, viewOf<ReplicationController>(object).spec?.template),
  ],
  validateCreate: (object) => validateSpec(viewOf<ReplicationController>(object).spec ?? {}),
  validateStatusUpdate(object) {
    const { status = {} } = viewOf<ReplicationController>(object)
    return [
      ...validateCounts(status, [
        'replicas',
        'fullyLabeledReplicas',
        'readyReplicas',
        'availableReplicas',
        'observedGeneration',
      ]),
      ...validateWithin(
        status,
        ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
        'readyReplicas',
      ),
    ]
  },
  selectableFields: {
    'status.replicas': (object) => String(viewOf<ReplicationController>(object).status?.replicas ?? 0),
  },
}

function validateSpec(spec: View<ReplicationControllerSpec>): FieldError[] {
  const { selector = {}, template } = spec
  const labels = template?.metadata?.labels ?? {}
  const isSelected = Object.entries(selector).every(([key, value]) => labels[key] === value)
  const path = 'spec.template'
  return [
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...(template
      ? [
          ...(isSelected
            ? []
            : [
                invalid(
                  `${path}.metadata.labels`,
                  template.metadata?.labels ?? null,
                  '`selector` does not match template `labels`',
                ),
              ]),
          ...validatePodTemplate(template, path),
          ...validateRunsForEver(template, 'ReplicationController', path),
        ]
      : [required(path)]),
  ]
}
