import { deepEqual } from '../../../base/index.js'
import type { Deployment, DeploymentSpec, DeploymentStrategy } from '../../../kinds/apps/v1.js'
import { goJson } from '../../../schema/internal.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidAs, notSupported } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { nameWarnings } from '../name-warnings.js'
import { defaultPodTemplate } from '../pod/pod-template.js'
import { templateWarnings } from '../pod/pod-warnings.js'
import { replicaScale } from '../replica-scale.js'
import { shownSelector } from '../shown-selector.js'
import {
  countOrPercent,
  isAbsent,
  isBlank,
  validateAtMostAll,
  validateCountOrPercent,
  validateNonNegative,
} from '../value-rules.js'
import {
  selectorTerms,
  validateRequiredSelector,
  validateSameSelector,
  validateSelected,
  validateServiceTemplate,
} from '../workload-rules.js'
import { validateCollisions, validateCounts, validateWithin } from './status-rules.js'

export const deploymentRules: KindRules = {
  hasGeneration: true,
  statusResetFields: [['spec'], ['metadata', 'labels']],
  scale: replicaScale,
  defaults(draft) {
    const { spec = {} } = draftOf<Deployment>(draft)
    spec.replicas ??= 1
    spec.strategy ??= {}
    if (isBlank(spec.strategy.type)) spec.strategy.type = 'RollingUpdate'
    if (spec.strategy.type === 'RollingUpdate') {
      spec.strategy.rollingUpdate ??= {}
      spec.strategy.rollingUpdate.maxUnavailable ??= '25%'
      spec.strategy.rollingUpdate.maxSurge ??= '25%'
    }
    spec.revisionHistoryLimit ??= 10
    spec.progressDeadlineSeconds ??= 600
    if (spec.template !== undefined) defaultPodTemplate(spec.template)
  },
  // Annotations are copied to ReplicaSets: a change of them is a new generation, too.
  isNewGeneration: (draft, old) =>
    !deepEqual(draft['spec'], old['spec']) ||
    !deepEqual(draft.metadata.annotations, old.metadata.annotations),
  warnings: (object, old) => [
    ...(old === undefined ? nameWarnings(object) : []),
    ...templateWarnings(object, old, viewOf<Deployment>(object).spec?.template),
  ],
  validateCreate: (object) => validateSpec(viewOf<Deployment>(object).spec ?? {}),
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<Deployment>(object)
    return [
      ...validateSpec(spec),
      ...validateSameSelector(spec.selector, viewOf<Deployment>(old).spec?.selector),
    ]
  },
  prepareForStatusUpdate(draft, old) {
    if (old.metadata.labels === undefined) delete draft.metadata.labels
    else draft.metadata.labels = { ...old.metadata.labels }
  },
  validateStatusUpdate(object, old) {
    const { status = {} } = viewOf<Deployment>(object)
    return [
      ...validateCounts(status, [
        'observedGeneration',
        'replicas',
        'updatedReplicas',
        'readyReplicas',
        'availableReplicas',
        'unavailableReplicas',
        'terminatingReplicas',
        'collisionCount',
      ]),
      ...validateWithin(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
      ...validateCollisions(status, viewOf<Deployment>(old).status),
    ]
  },
}

function validateSpec(spec: View<DeploymentSpec>): FieldError[] {
  const { selector, template = {}, progressDeadlineSeconds, minReadySeconds } = spec
  const errors = [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateRequiredSelector(selector, 'deployment', 'spec.selector'),
    ...(selectorTerms(selector) === undefined
      ? [invalidAs('spec.selector', shownSelector(selector), 'invalid label selector')]
      : [
          ...validateSelected(selector, template, 'spec.template'),
          ...validateServiceTemplate(template, 'spec.template'),
        ]),
    ...validateStrategy(spec.strategy ?? {}),
    ...validateNonNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    ...validateNonNegative(progressDeadlineSeconds, 'spec.progressDeadlineSeconds'),
  ]
  if (!isAbsent(progressDeadlineSeconds) && progressDeadlineSeconds <= (minReadySeconds ?? 0))
    errors.push(
      invalid(
        'spec.progressDeadlineSeconds',
        progressDeadlineSeconds,
        'must be greater than minReadySeconds',
      ),
    )
  return errors
}

function validateStrategy({ type, rollingUpdate }: View<DeploymentStrategy>): FieldError[] {
  if (type === 'Recreate') {
    return isAbsent(rollingUpdate)
      ? []
      : [forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")]
  }
  const path = 'spec.strategy.rollingUpdate'
  const { maxSurge, maxUnavailable } = rollingUpdate ?? {}
  if (type !== 'RollingUpdate')
    return [unsupportedStrategy('spec.strategy', type, rollingUpdate, ['Recreate', 'RollingUpdate'])]
  return [
    ...validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateCountOrPercent(maxSurge, `${path}.maxSurge`),
    ...(countOrPercent(maxUnavailable) === 0 && countOrPercent(maxSurge) === 0
      ? [invalid(`${path}.maxUnavailable`, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...validateAtMostAll(maxUnavailable, `${path}.maxUnavailable`),
  ]
}

/** The whole strategy stands in the message, as the server's own type has it. */
export function unsupportedStrategy(
  path: string,
  type: string | undefined,
  rollingUpdate: { readonly maxUnavailable?: unknown; readonly maxSurge?: unknown } | undefined,
  words: readonly string[],
): FieldError {
  const error = notSupported(path, '', words)
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {}
  const update = isAbsent(rollingUpdate)
    ? 'null'
    : `{"MaxUnavailable":${goJson(maxUnavailable)},"MaxSurge":${goJson(maxSurge)}}`
  const shown = `{"Type":${goJson(type ?? '')},"RollingUpdate":${update}}`
  return { ...error, message: error.message.replace('""', () => shown) }
}
