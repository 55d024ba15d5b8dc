import { deepEqual } from '../../../base/index.js'
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy } from '../../../kinds/apps/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, invalid, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { defaultPodTemplate, validatePodTemplate } from '../pod/pod-template.js'
import { podWarnings } from '../pod/pod-warnings.js'
import {
  countOrPercent,
  isAbsent,
  isBlank,
  validateAtMostAll,
  validateCountOrPercent,
  validateNonNegative,
} from '../value-rules.js'
import {
  validateNotEmpty,
  validateRunsForEver,
  validateSameSelector,
  validateSelected,
} from '../workload-rules.js'
import { unsupportedStrategy } from './deployment.js'
import { validateCollisions, validateCounts } from './status-rules.js'

/** Where the generation of the template is kept in this version of the API. */
const templateGeneration = 'deprecated.daemonset.template.generation'

export const daemonSetRules: KindRules = {
  hasGeneration: true,
  defaults(draft) {
    // Within the server it is a field, which every version shows.
    setTemplateGeneration(draft.metadata, Number(draft.metadata.annotations?.[templateGeneration] ?? 0))
    const { spec = {} } = draftOf<DaemonSet>(draft)
    spec.updateStrategy ??= {}
    if (isBlank(spec.updateStrategy.type)) spec.updateStrategy.type = 'RollingUpdate'
    if (spec.updateStrategy.type === 'RollingUpdate') {
      spec.updateStrategy.rollingUpdate ??= {}
      spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1
      spec.updateStrategy.rollingUpdate.maxSurge ??= 0
    }
    spec.revisionHistoryLimit ??= 10
    if (spec.template !== undefined) defaultPodTemplate(spec.template)
  },
  prepareForCreate(draft) {
    const given = Number(draft.metadata.annotations?.[templateGeneration] ?? 0)
    setTemplateGeneration(draft.metadata, given >= 1 ? given : 1)
  },
  prepareForUpdate(draft, old) {
    const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0)
    const isChanged = !deepEqual(
      draftOf<DaemonSet>(draft).spec?.template,
      viewOf<DaemonSet>(old).spec?.template,
    )
    setTemplateGeneration(draft.metadata, isChanged ? before + 1 : before)
  },
  validateCreate: (object) => validateSpec(viewOf<DaemonSet>(object).spec ?? {}),
  warnings: (object, old) =>
    old?.metadata.annotations?.[templateGeneration] === object.metadata.annotations?.[templateGeneration]
      ? []
      : podWarnings(viewOf<DaemonSet>(object).spec?.template ?? {}, 'spec.template'),
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<DaemonSet>(object)
    return [
      ...validateSameSelector(spec.selector, viewOf<DaemonSet>(old).spec?.selector),
      ...validateSpec(spec),
    ]
  },
  prepareForStatusUpdate(draft, old) {
    setTemplateGeneration(draft.metadata, Number(old.metadata.annotations?.[templateGeneration] ?? 0))
  },
  validateStatusUpdate(object, old) {
    const { status = {} } = viewOf<DaemonSet>(object)
    return [
      ...validateCounts(status, [
        'currentNumberScheduled',
        'numberMisscheduled',
        'desiredNumberScheduled',
        'numberReady',
        'observedGeneration',
        'updatedNumberScheduled',
        'numberAvailable',
        'numberUnavailable',
        'collisionCount',
      ]),
      ...validateCollisions(status, viewOf<DaemonSet>(old).status),
    ]
  },
}

function setTemplateGeneration(metadata: { annotations?: Record<string, string> }, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: `${generation}` }
}

function validateSpec(spec: View<DaemonSetSpec>): FieldError[] {
  const { selector, template = {} } = spec
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...validateSelected(selector, template, 'spec.template'),
    ...validateNotEmpty(selector, 'daemonset', 'spec.selector'),
    ...validatePodTemplate(template, 'spec.template'),
    ...validateRunsForEver(template, 'DaemonSet', 'spec.template'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ]
}

function validateUpdateStrategy({ type, rollingUpdate }: View<DaemonSetUpdateStrategy>): FieldError[] {
  if (type === 'OnDelete') return []
  const path = 'spec.updateStrategy.rollingUpdate'
  if (type !== 'RollingUpdate')
    return [unsupportedStrategy('spec.updateStrategy', type, rollingUpdate, ['RollingUpdate', 'OnDelete'])]
  if (isAbsent(rollingUpdate)) return [required(path)]
  const { maxUnavailable, maxSurge } = rollingUpdate
  const errors = [
    ...validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateCountOrPercent(maxSurge, `${path}.maxSurge`),
    ...validateAtMostAll(maxUnavailable, `${path}.maxUnavailable`),
    ...validateAtMostAll(maxSurge, `${path}.maxSurge`),
  ]
  const hasUnavailable = countOrPercent(maxUnavailable) !== 0
  const hasSurge = countOrPercent(maxSurge) !== 0
  if (hasUnavailable && hasSurge)
    errors.push(invalid(`${path}.maxSurge`, maxSurge ?? 0, 'may not be set when maxUnavailable is non-zero'))
  if (!hasUnavailable && !hasSurge)
    errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'))
  return errors
}
