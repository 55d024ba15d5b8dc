import { deepCopy, deepEqual, setOwn } from '../../../base/index.js'
import type { Pod, PodAffinityTerm, PodSpec, PodStatus } from '../../../kinds/core/v1.js'
import type { LabelSelector } from '../../../kinds/meta/v1.js'
import { dns1123LabelErrors } from '../../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import type { Strategy, Subresource } from '../../resource.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden } from '../field-errors.js'
import { keepAllBut } from '../generic-strategy.js'
import type { KindRules } from '../kind-rules.js'
import { defaultOwnPodSpec, defaultPodSpec, mirrorServiceAccount } from '../pod/default-pod-spec.js'
import { isMirror, validateAnnotationChanges } from '../pod/pod-annotations.js'
import { keepAllButResources, validatePodResize } from '../pod/pod-resize-rules.js'
import { validateNewPod, validatePod } from '../pod/pod-rules.js'
import { validatePodStatus } from '../pod/pod-status-rules.js'
import { validatePodUpdate } from '../pod/pod-update-rules.js'
import { podWarnings } from '../pod/pod-warnings.js'
import { adoptAppArmorProfiles } from '../pod/profile-annotations.js'
import { qosClassOf } from '../pod/qos.js'
import { roundResources } from '../resource-list.js'
import { schemaOf } from '../schema-of.js'
import { specDiff } from '../spec-diff.js'
import { createBindingHandler } from './pod-binding.js'
import { createEvictionHandler } from './pod-eviction.js'

export const podRules: KindRules = {
  hasGeneration: true,
  statusResetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  defaults(draft) {
    const pod = draftOf<Pod>(draft)
    const spec = (pod.spec ??= {})
    defaultOwnPodSpec(spec)
    defaultPodSpec(spec)
    // Of pods alone: what a template says is kept, and warned of.
    if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1
    if (pod.status !== undefined) defaultStatus(pod.status)
  },
  prepareForCreate(draft, context) {
    const pod = draftOf<Pod>(draft)
    const spec = (pod.spec ??= {})
    mirrorServiceAccount(spec)
    pod.status = { phase: 'Pending', qosClass: qosClassOf(spec) }
    if ((spec.schedulingGates ?? []).length > 0)
      pod.status.conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          lastProbeTime: null,
          lastTransitionTime: context.nature.timestamp(),
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
        },
      ]
    addLabelTerms(spec, draft.metadata.labels ?? {})
    adoptAppArmorProfiles(pod, (text) => context.warn(text))
  },
  prepareForUpdate(draft) {
    const { spec } = draftOf<Pod>(draft)
    if (spec !== undefined) mirrorServiceAccount(spec)
  },
  warnings: (object, old) => (old === undefined ? warningsOf(object) : []),
  validateCreate: (object) => validateNewPod(viewOf<Pod>(object)),
  validateUpdate: (object, old) => validatePodUpdate(viewOf<Pod>(object), viewOf<Pod>(old)),
  prepareForStatusUpdate(draft, old) {
    const pod = draftOf<Pod>(draft)
    const { metadata, status: before = {} } = viewOf<Pod>(old)
    delete draft.metadata.deletionTimestamp
    if (metadata?.ownerReferences === undefined) delete draft.metadata.ownerReferences
    else draft.metadata.ownerReferences = deepCopy(old.metadata.ownerReferences ?? [])
    const status = (pod.status ??= {})
    if (status.qosClass === undefined && before.qosClass !== undefined)
      setOwn(status, 'qosClass', before.qosClass)
    if (before.observedGeneration !== undefined) status.observedGeneration ??= before.observedGeneration
    keepObservedGenerations(status, before)
  },
  validateStatusUpdate: (object, old) => validatePodStatus(viewOf<Pod>(object), viewOf<Pod>(old)),
  gracePeriodSeconds(object, requested) {
    const { spec, status } = viewOf<Pod>(object)
    const isOver = status?.phase === 'Failed' || status?.phase === 'Succeeded'
    if ((spec?.nodeName ?? '') === '' || isOver) return 0
    const period = requested ?? spec?.terminationGracePeriodSeconds ?? 0
    return period < 0 ? 1 : period
  },
  selectableFields: {
    'spec.nodeName': (object) => viewOf<Pod>(object).spec?.nodeName ?? '',
    'spec.restartPolicy': (object) => viewOf<Pod>(object).spec?.restartPolicy ?? '',
    'spec.schedulerName': (object) => viewOf<Pod>(object).spec?.schedulerName ?? '',
    'spec.serviceAccountName': (object) => viewOf<Pod>(object).spec?.serviceAccountName ?? '',
    'spec.hostNetwork': (object) => String(viewOf<Pod>(object).spec?.hostNetwork ?? false),
    'status.phase': (object) => viewOf<Pod>(object).status?.phase ?? '',
    'status.podIP': (object) => viewOf<Pod>(object).status?.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': (object) => viewOf<Pod>(object).status?.nominatedNodeName ?? '',
  },
  subresources: (options, strategy) => ({
    ephemeralcontainers: part(strategy, keepAllButEphemeral, validateEphemeral, ['ephemeralContainers']),
    resize: part(
      strategy,
      (draft, old) => {
        draft['spec'] = keepAllButResources(draftOf<Pod>(draft).spec ?? {}, viewOf<Pod>(old).spec ?? {})
      },
      validatePodResize,
      ['containers', 'initContainers', 'resources'],
    ),
    binding: {
      type: 'action',
      verbs: { create: createBindingHandler(options) },
      group: '',
      version: 'v1',
      kind: 'Binding',
    },
    eviction: {
      type: 'action',
      verbs: { create: createEvictionHandler(options) },
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
    },
  }),
}

function defaultStatus(status: Draft<PodStatus>): void {
  // The first of the addresses has a field of its own, which wins where they differ.
  if (status.podIP !== undefined && status.podIPs?.[0]?.ip !== status.podIP)
    status.podIPs = [{ ip: status.podIP }]
  const first = status.podIPs?.[0]?.ip
  if (first !== undefined) status.podIP = first
  for (const list of ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const)
    for (const { allocatedResources, resources } of status[list] ?? [])
      for (const amounts of [allocatedResources, resources?.limits, resources?.requests])
        roundResources(amounts)
}

function warningsOf(object: ApiObject): string[] {
  const problems = dns1123LabelErrors(object.metadata.name ?? '')
  const ofName =
    problems.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
        ]
  return [...ofName, ...podWarnings(viewOf<Pod>(object))]
}

/** A part of the spec that is written through a subresource of its own. */
function part(
  strategy: Strategy,
  keep: (draft: ApiObject, old: StoredApiObject) => void,
  validate: (pod: View<Pod>, old: View<Pod>) => readonly FieldError[],
  fields: readonly string[],
): Subresource {
  return {
    type: 'part',
    strategy: {
      ...strategy,
      prepareForUpdate(draft, old) {
        keep(draft, old)
        keepAllBut(draft, old, new Set(['spec']))
        keepMetadata(draft, old)
        if (!deepEqual(draft['spec'], old['spec']))
          draft.metadata.generation = (old.metadata.generation ?? 0) + 1
      },
      validateUpdate: (object, old) => validate(viewOf<Pod>(object), viewOf<Pod>(old)),
      get resetFields() {
        const others = Object.keys(schemaOf('', 'v1', 'PodSpec').properties ?? {})
        return [
          ['status'],
          ['metadata'],
          ...others.filter((field) => !fields.includes(field)).map((field) => ['spec', field]),
        ]
      },
    },
  }
}

/** Through a part, only the version that it is based on is taken from the metadata, and who manages what. */
function keepMetadata(draft: ApiObject, old: StoredApiObject): void {
  const { resourceVersion, managedFields } = draft.metadata
  draft.metadata = {
    ...deepCopy(old.metadata),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(managedFields !== undefined && { managedFields }),
  }
}

function keepAllButEphemeral(draft: ApiObject, old: StoredApiObject): void {
  const { ephemeralContainers } = draftOf<Pod>(draft).spec ?? {}
  const spec = deepCopy(old['spec'])
  draft['spec'] = {
    ...(typeof spec === 'object' && spec),
    ...(ephemeralContainers && { ephemeralContainers }),
  }
  if (ephemeralContainers === undefined) delete draftOf<Pod>(draft).spec?.ephemeralContainers
}

function validateEphemeral(pod: View<Pod>, old: View<Pod>): FieldError[] {
  if (isMirror(old.metadata?.annotations))
    return [forbidden('[]', 'static pods do not support ephemeral containers')]
  const containers = pod.spec?.ephemeralContainers ?? []
  const path = 'spec.ephemeralContainers'
  return [
    ...validatePod(pod),
    ...validateAnnotationChanges(
      pod.metadata?.annotations,
      old.metadata?.annotations,
      'metadata.annotations',
    ),
    ...(old.spec?.ephemeralContainers ?? []).flatMap((before) => {
      const now = containers.find(({ name }) => name === before.name)
      const shown = `existing ephemeral containers "${before.name ?? ''}"`
      if (now === undefined) return [forbidden(path, `${shown} may not be removed\n`)]
      return deepEqual(before, now)
        ? []
        : [forbidden(path, `${shown} may not be changed\n${specDiff('EphemeralContainer', before, now)}`)]
    }),
  ]
}

/** Who cannot tell which generation it saw does not unsay what others told. */
function keepObservedGenerations(status: Draft<PodStatus>, before: NonNullable<View<Pod>['status']>): void {
  const known = new Map<string, (number | undefined)[]>()
  for (const { type = '', observedGeneration } of before.conditions ?? [])
    known.set(type, [...(known.get(type) ?? []), observedGeneration])
  for (const condition of status.conditions ?? []) {
    const old = known.get(condition.type ?? '')?.shift()
    if (old !== undefined) condition.observedGeneration ??= old
  }
}

/** Keys whose values are taken from the pod's own labels become terms of the selectors. */
function addLabelTerms(spec: Draft<PodSpec>, labels: Readonly<Record<string, string>>): void {
  const extend = (
    selector: Draft<LabelSelector> | undefined,
    keys: readonly string[] | undefined,
    operator: 'In' | 'NotIn',
  ): void => {
    if (!selector) return
    for (const key of keys ?? []) {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined
      if (value !== undefined) (selector.matchExpressions ??= []).push({ key, operator, values: [value] })
    }
  }
  const extendTerm = (term: Draft<PodAffinityTerm> | undefined): void => {
    extend(term?.labelSelector, term?.matchLabelKeys, 'In')
    extend(term?.labelSelector, term?.mismatchLabelKeys, 'NotIn')
  }
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const affinity = spec.affinity?.[kind]
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      extendTerm(podAffinityTerm)
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) extendTerm(term)
  }
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? [])
    extend(labelSelector, matchLabelKeys, 'In')
}
