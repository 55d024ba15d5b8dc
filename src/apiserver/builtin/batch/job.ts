import { deepCopy, deepEqual } from '../../../base/index.js'
import type { Job, JobSpec, JobStatus } from '../../../kinds/batch/v1.js'
import type { PodTemplateSpec } from '../../../kinds/core/v1.js'
import { dns1123LabelErrors, matchesLabels } from '../../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, invalid, invalidAs, keyPath, required } from '../field-errors.js'
import { internalJson } from '../internal-form/internal-json.js'
import type { KindRules } from '../kind-rules.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { nameWarnings } from '../name-warnings.js'
import { defaultPodTemplate } from '../pod/pod-template.js'
import { podWarnings } from '../pod/pod-warnings.js'
import { shownSelector } from '../shown-selector.js'
import { isAbsent, isBlank, validateImmutable } from '../value-rules.js'
import { selectorTerms, validateSameSelector, validateSelected } from '../workload-rules.js'
import { validateJobSpecBody } from './job-spec.js'
import { validateJobStatusUpdate } from './job-status.js'

const legacyNameLabel = 'job-name'
const nameLabel = 'batch.kubernetes.io/job-name'
const legacyUidLabel = 'controller-uid'
const uidLabel = 'batch.kubernetes.io/controller-uid'

export const jobRules: KindRules = {
  hasGeneration: true,
  orphansDependents: true,
  orphanWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  selectableFields: {
    'status.successful': (object) => `${viewOf<Job>(object).status?.succeeded ?? 0}`,
  },
  defaults(draft) {
    const { spec = {}, metadata = {} } = draftOf<Job>(draft)
    applyJobDefaults(spec)
    const labels = spec.template?.metadata?.labels
    if (!isAbsent(labels) && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels }
    if (spec.template !== undefined) defaultPodTemplate(spec.template)
  },
  prepareForCreate(draft) {
    const { spec = {} } = draftOf<Job>(draft)
    const isLabelled = !deepEqual(draft.metadata.labels ?? {}, spec.template?.metadata?.labels ?? {})
    if (spec.manualSelector !== true) generateSelector(spec, draft)
    // A Job without labels of its own has those of its pods, the generated ones included.
    const labels = spec.template?.metadata?.labels
    if (!isLabelled && labels !== undefined)
      draftOf<Job>(draft).metadata = { ...draft.metadata, labels: { ...labels } }
  },
  validateCreate: (object) => validateJob(object, true),
  warnings: (object, old) => [
    ...(old === undefined ? nameWarnings(object) : []),
    ...jobSpecWarnings(object, old, viewOf<Job>(object).spec ?? {}, 'spec'),
  ],
  validateUpdate(object, old) {
    const oldLabels = viewOf<Job>(old).spec?.template?.metadata?.labels ?? {}
    const hasPrefixedLabels = Object.hasOwn(oldLabels, nameLabel) && Object.hasOwn(oldLabels, uidLabel)
    const { spec = {} } = viewOf<Job>(object)
    return [
      ...validateJob(object, hasPrefixedLabels),
      ...validateJobSpec(spec),
      ...validateSpecUpdate(spec, viewOf<Job>(old)),
    ]
  },
  validateStatusUpdate: (object, old) => validateJobStatusUpdate(viewOf<Job>(object), viewOf<Job>(old)),
}

function applyJobDefaults(spec: Draft<JobSpec>): void {
  if (isAbsent(spec.completions) && isAbsent(spec.parallelism)) spec.completions = 1
  spec.parallelism ??= 1
  spec.backoffLimit ??= isAbsent(spec.backoffLimitPerIndex) ? 6 : 2_147_483_647
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  spec.podReplacementPolicy ??= isAbsent(spec.podFailurePolicy) ? 'TerminatingOrFailed' : 'Failed'
  spec.manualSelector ??= false
  defaultFailureConditions(spec)
}

/** What is filled in of the Job in a CronJob, too. */
export function defaultFailureConditions(spec: Draft<JobSpec>): void {
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) if (isBlank(pattern.status)) pattern.status = 'True'
}

/** Labels that no other Job has. What the user has set stays, and is refused if it does not fit. */
function generateSelector(spec: Draft<JobSpec>, draft: ApiObject): void {
  const { name = '', uid = '' } = draft.metadata
  spec.template ??= {}
  spec.template.metadata ??= {}
  spec.template.metadata.labels = {
    [legacyNameLabel]: name,
    [nameLabel]: name,
    [legacyUidLabel]: uid,
    [uidLabel]: uid,
    ...spec.template.metadata.labels,
  }
  spec.selector ??= {}
  spec.selector.matchLabels = { [uidLabel]: uid, ...spec.selector.matchLabels }
}

/** What is doubtful in a Job, or in what a CronJob makes. Looked at again with every new generation. */
export function jobSpecWarnings(
  object: ApiObject,
  old: StoredApiObject | undefined,
  { completionMode, completions, parallelism, template }: View<JobSpec>,
  path: string,
): string[] {
  if (old !== undefined && object.metadata.generation === old.metadata.generation) return []
  const isLarge = completionMode === 'Indexed' && (completions ?? 0) > 100_000 && (parallelism ?? 0) > 10_000
  return [
    ...(isLarge
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...podWarnings(template ?? {}, `${path}.template`),
  ]
}

function validateJob(object: ApiObject, needsPrefixedLabels: boolean): FieldError[] {
  const { metadata = {}, spec = {} } = viewOf<Job>(object)
  const errors = [
    ...validateGeneratedSelector(
      spec,
      { name: metadata.name ?? '', uid: metadata.uid ?? '' },
      needsPrefixedLabels,
    ),
    ...validateJobSpec(spec),
  ]
  const { completions, completionMode } = spec
  if (completionMode === 'Indexed' && !isAbsent(completions) && completions > 0) {
    const name = metadata.name ?? ''
    const host = `${name}-${completions - 1}`
    if (dns1123LabelErrors(host).length > 0)
      errors.push(
        invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${host}`),
      )
  }
  return errors
}

function validateGeneratedSelector(
  { manualSelector, selector, template }: View<JobSpec>,
  { name, uid }: { readonly name: string; readonly uid: string },
  needsPrefixedLabels: boolean,
): FieldError[] {
  if (manualSelector === true || isAbsent(selector)) return []
  const expected: Record<string, string> = { [legacyUidLabel]: uid, [legacyNameLabel]: name }
  if (needsPrefixedLabels) {
    expected[uidLabel] = uid
    expected[nameLabel] = name
  }
  const labels = template?.metadata?.labels ?? {}
  const errors: FieldError[] = uid === '' ? [required('metadata.uid')] : []
  for (const [key, value] of Object.entries(expected)) {
    const path = keyPath('spec.template.metadata.labels', key)
    if (!Object.hasOwn(labels, key)) errors.push(required(path, `must be '${value}'`))
    else if (labels[key] !== value) errors.push(invalid(path, labels, `must be '${value}'`))
  }
  const terms = selectorTerms(selector)
  if (terms !== undefined && !matchesLabels(terms, expected))
    errors.push(invalidAs('spec.selector', shownSelector(selector), '`selector` not auto-generated'))
  return errors
}

function validateJobSpec(spec: View<JobSpec>): FieldError[] {
  const { selector, template = {} } = spec
  return [
    ...validateJobSpecBody(spec, 'spec'),
    ...(isAbsent(selector) ? [required('spec.selector')] : validateLabelSelector(selector, 'spec.selector')),
    ...validateSelected(selector, template, 'spec.template'),
  ]
}

function validateSpecUpdate(spec: View<JobSpec>, { spec: old = {}, status = {} }: View<Job>): FieldError[] {
  const fixed = (field: keyof JobSpec): FieldError[] =>
    validateImmutable(spec[field], old[field], `spec.${field}`)
  return [
    ...validateCompletions(spec, old),
    ...validateSameSelector(spec.selector, old.selector),
    ...validateTemplateUpdate(spec.template ?? {}, old, status),
    ...fixed('completionMode'),
    ...fixed('podFailurePolicy'),
    ...fixed('backoffLimitPerIndex'),
    ...fixed('managedBy'),
    ...fixed('successPolicy'),
  ]
}

function validateCompletions(spec: View<JobSpec>, old: View<JobSpec>): FieldError[] {
  const path = 'spec.completions'
  if (spec.completionMode !== 'Indexed') return validateImmutable(spec.completions, old.completions, path)
  if (spec.completions === old.completions || isAbsent(spec.completions)) return []
  return spec.completions === spec.parallelism
    ? []
    : [invalid(path, spec.completions, 'can only be modified in tandem with spec.parallelism')]
}

/** A Job that waits may still be given other resources and another place; one that ran may not. */
function validateTemplateUpdate(
  template: View<PodTemplateSpec>,
  old: View<JobSpec>,
  status: View<JobStatus>,
): FieldError[] {
  const isSuspended = old.suspend === true
  const waits =
    isAbsent(status.startTime) ||
    status.conditions?.some(({ type, status: value }) => type === 'Suspended' && value === 'True') === true
  const isChangeable = isSuspended && waits && (status.active ?? 0) === 0
  if (!isChangeable)
    return deepEqual(template, old.template)
      ? []
      : [invalidAs('spec.template', internalJson('PodTemplateSpec', template), 'field is immutable')]
  // A copy of a view is as mutable as a draft.
  const before = deepCopy(old.template ?? {}) as Draft<PodTemplateSpec>
  const now = deepCopy(template) as Draft<PodTemplateSpec>
  allowPlacement(before, now)
  allowResources(before.spec?.containers, now.spec?.containers)
  allowResources(before.spec?.initContainers, now.spec?.initContainers)
  return deepEqual(before.spec, now.spec)
    ? []
    : [invalidAs('spec.template.spec', internalJson('PodSpec', template.spec), 'field is immutable')]
}

function allowPlacement(before: Draft<PodTemplateSpec>, now: Draft<PodTemplateSpec>): void {
  const old = (before.spec ??= {})
  const { nodeSelector, tolerations, schedulingGates, affinity } = now.spec ?? {}
  replace(old, { nodeSelector, tolerations, schedulingGates })
  const others = { ...old.affinity }
  delete others.nodeAffinity
  const nodeAffinity = affinity?.nodeAffinity
  const merged = nodeAffinity === undefined ? others : { ...others, nodeAffinity }
  replace(old, { affinity: isAbsent(affinity) && Object.keys(merged).length === 0 ? undefined : merged })
}

function replace(target: object, values: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined) Reflect.deleteProperty(target, field)
    else Reflect.set(target, field, value)
  }
}

interface Sized {
  name?: string | undefined
  resources?: unknown
}

function allowResources(before: Sized[] | undefined, now: readonly Sized[] | undefined): void {
  if (before === undefined || before.length !== now?.length) return
  for (const [index, container] of before.entries())
    if (container.name === now[index]?.name) replace(container, { resources: now[index]?.resources })
}
