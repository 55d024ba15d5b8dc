import { deepEqual, setOwn } from '../../../base/index.js'
import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '../../../kinds/apps/v1.js'
import type { PodTemplateSpec } from '../../../kinds/core/v1.js'
import { goJson } from '../../../schema/internal.js'
import { claimWarnings, validateClaimSpec } from '../core/claim-spec.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidAs, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateAnnotations, validateLabels } from '../metadata-rules.js'
import { labelName } from '../name-rules.js'
import { defaultPodTemplate, validatePodTemplate } from '../pod/pod-template.js'
import { templateWarnings } from '../pod/pod-warnings.js'
import { replicaScale } from '../replica-scale.js'
import { shownSelector } from '../shown-selector.js'
import {
  countOrPercent,
  isAbsent,
  isBlank,
  validateAtMostAll,
  validateCountOrPercent,
  validateDnsLabel,
  validateNonNegative,
  validateWord,
} from '../value-rules.js'
import {
  selectorTerms,
  validateRequiredSelector,
  validateRunsForEver,
  validateSelected,
} from '../workload-rules.js'
import { defaultClaimTemplate } from './claim-template.js'
import { validateCollisions, validateCounts, validateWithin } from './status-rules.js'

export const statefulSetRules: KindRules = {
  nameProblems: labelName,
  hasGeneration: true,
  scale: replicaScale,
  defaults: (draft) => applyDefaults(draftOf<StatefulSet>(draft).spec ?? {}),
  prepareForCreate: (draft) => dropMaxUnavailable(draftOf<StatefulSet>(draft).spec, undefined),
  prepareForUpdate: (draft, old) =>
    dropMaxUnavailable(draftOf<StatefulSet>(draft).spec, viewOf<StatefulSet>(old).spec),
  warnings: (object, old) => {
    const { spec = {} } = viewOf<StatefulSet>(object)
    return [
      ...templateWarnings(object, old, spec.template),
      ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
        claimWarnings(
          claim.spec ?? {},
          `spec.volumeClaimTemplates[${index}]${old === undefined ? '' : '.Spec'}`,
        ),
      ),
      ...historyWarnings(spec),
    ]
  },
  validateCreate(object) {
    const { spec = {} } = viewOf<StatefulSet>(object)
    return validateSpec(spec, { isUpdate: false, skipsTemplate: false })
  },
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<StatefulSet>(object)
    const { spec: oldSpec = {} } = viewOf<StatefulSet>(old)
    // What was let in once may stay.
    const skipsTemplate = validateSpec(oldSpec, { isUpdate: true, skipsTemplate: false }).length > 0
    const errors = validateSpec(spec, { isUpdate: true, skipsTemplate })
    if (!hasSameFixedFields(spec, oldSpec)) errors.push(forbidden('spec', fixedFieldsMessage))
    return errors
  },
  validateStatusUpdate(object, old) {
    const { status = {} } = viewOf<StatefulSet>(object)
    return [
      ...validateCounts(status, [
        'replicas',
        'readyReplicas',
        'currentReplicas',
        'updatedReplicas',
        'availableReplicas',
        'observedGeneration',
        'collisionCount',
      ]),
      ...validateWithin(
        status,
        ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
        'status.readyReplicas',
      ),
      ...validateCollisions(status, viewOf<StatefulSet>(old).status),
    ]
  },
}

function applyDefaults(spec: Draft<StatefulSetSpec>): void {
  if (isBlank(spec.podManagementPolicy)) spec.podManagementPolicy = 'OrderedReady'
  spec.updateStrategy ??= {}
  const strategy = spec.updateStrategy
  if (isBlank(strategy.type)) {
    strategy.type = 'RollingUpdate'
    strategy.rollingUpdate ??= {}
  }
  if (strategy.type === 'RollingUpdate' && !isAbsent(strategy.rollingUpdate))
    strategy.rollingUpdate.partition ??= 0
  spec.persistentVolumeClaimRetentionPolicy ??= {}
  const retention = spec.persistentVolumeClaimRetentionPolicy
  if (isBlank(retention.whenDeleted)) retention.whenDeleted = 'Retain'
  if (isBlank(retention.whenScaled)) retention.whenScaled = 'Retain'
  spec.replicas ??= 1
  spec.revisionHistoryLimit ??= 10
  if (spec.template !== undefined) defaultPodTemplate(spec.template)
  for (const claim of spec.volumeClaimTemplates ?? []) defaultClaimTemplate(claim)
}

/** The feature is off unless an object has it already. */
function dropMaxUnavailable(
  spec: Draft<StatefulSetSpec> | undefined,
  old: View<StatefulSetSpec> | undefined,
): void {
  const update = spec?.updateStrategy?.rollingUpdate
  if (!isAbsent(update) && isAbsent(old?.updateStrategy?.rollingUpdate?.maxUnavailable))
    delete update.maxUnavailable
}

function historyWarnings({ revisionHistoryLimit }: View<StatefulSetSpec>): string[] {
  return (revisionHistoryLimit ?? 0) < 0
    ? [
        'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
      ]
    : []
}

const changeableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

const fixedFieldsMessage =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"

function hasSameFixedFields(spec: View<StatefulSetSpec>, old: View<StatefulSetSpec>): boolean {
  const fixed = (of: View<StatefulSetSpec>): unknown =>
    Object.fromEntries(Object.entries(of).filter(([field]) => !changeableFields.includes(field)))
  return deepEqual(fixed(spec), fixed(old))
}

interface SpecOptions {
  /** Names of services and claims cannot change: they are not looked at again. */
  readonly isUpdate: boolean
  readonly skipsTemplate: boolean
}

function validateSpec(spec: View<StatefulSetSpec>, options: SpecOptions): FieldError[] {
  const { selector, template = {}, persistentVolumeClaimRetentionPolicy: retention } = spec
  const retentionPath = 'spec.persistentVolumeClaimRetentionPolicy'
  const policies = ['Retain', 'Delete']
  return [
    ...validateManagement(spec.podManagementPolicy),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...(isAbsent(retention)
      ? []
      : [
          ...validateWord(retention.whenDeleted, policies, `${retentionPath}.whenDeleted`),
          ...validateWord(retention.whenScaled, policies, `${retentionPath}.whenScaled`),
        ]),
    ...(options.isUpdate
      ? []
      : (spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
          validateClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
        )),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...(options.isUpdate || isBlank(spec.serviceName)
      ? []
      : validateDnsLabel(spec.serviceName, 'spec.serviceName')),
    ...validateRequiredSelector(selector, 'statefulset', 'spec.selector'),
    ...(selectorTerms(selector) === undefined
      ? [invalidAs('spec.selector', shownSelector(selector), '')]
      : [
          ...validateSelected(selector, template, 'spec.template'),
          ...validateTemplate(spec, options.skipsTemplate),
        ]),
    ...validateRunsForEver(template, 'StatefulSet', 'spec.template'),
  ]
}

function validateTemplate(spec: View<StatefulSetSpec>, skips: boolean): FieldError[] {
  const { template = {} } = spec
  return [
    ...(skips ? [] : validatePodTemplate(withIdentity(spec), 'spec.template')),
    ...validateLabels(template.metadata?.labels, 'spec.template.labels'),
    ...validateAnnotations(template.metadata?.annotations, 'spec.template.annotations'),
  ]
}

/** The template with what the controller puts in its place: no host name of its own, the claims as volumes. */
function withIdentity({ template = {}, volumeClaimTemplates }: View<StatefulSetSpec>): View<PodTemplateSpec> {
  const claims = (volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? '')
  const pod: Record<string, unknown> = { ...template.spec }
  delete pod['subdomain']
  delete pod['hostname']
  if (claims.length > 0)
    setOwn(pod, 'volumes', [
      ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
      ...(template.spec?.volumes ?? []).filter(({ name }) => !claims.includes(name ?? '')),
    ])
  return { ...template, spec: pod }
}

function validateManagement(policy: string | undefined): FieldError[] {
  const path = 'spec.podManagementPolicy'
  if (isBlank(policy)) return [required(path)]
  return ['OrderedReady', 'Parallel'].includes(policy)
    ? []
    : [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")]
}

function validateUpdateStrategy({ type, rollingUpdate }: View<StatefulSetUpdateStrategy>): FieldError[] {
  const path = 'spec.updateStrategy'
  if (isBlank(type)) return [required(path)]
  const { partition = 0, maxUnavailable = null } = rollingUpdate ?? {}
  const shown = isAbsent(rollingUpdate)
    ? 'null'
    : `{"Partition":${goJson(partition)},"MaxUnavailable":${goJson(maxUnavailable)}}`
  if (type === 'OnDelete')
    return isAbsent(rollingUpdate)
      ? []
      : [invalidAs(`${path}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")]
  if (type !== 'RollingUpdate')
    return [
      invalidAs(
        path,
        `{"Type":${goJson(type)},"RollingUpdate":${shown}}`,
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    ]
  const maxPath = `${path}.rollingUpdate.maxUnavailable`
  return [
    ...validateNonNegative(partition, `${path}.rollingUpdate.partition`),
    ...(isAbsent(maxUnavailable)
      ? []
      : [
          ...validateCountOrPercent(maxUnavailable, maxPath),
          ...(countOrPercent(maxUnavailable) === 0 ? [invalid(maxPath, maxUnavailable, 'cannot be 0')] : []),
          ...validateAtMostAll(maxUnavailable, maxPath),
        ]),
  ]
}
