import type { Pod } from '../../../kinds/core/v1.js'
import type { PriorityClass } from '../../../kinds/scheduling.k8s.io/v1.js'
import { type Draft, draftOf, type View, viewOf } from '../../builtin/draft.js'
import type { ClusterState } from '../../cluster-state.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { refused } from '../refusal.js'
import { isWriteOf } from './target.js'

const group = 'scheduling.k8s.io'
const resource = `priorityclasses.${group}`

/** Turns the priority class of a pod into numbers, and lets no second class be the default. */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  handles: (request) =>
    (request.operation === 'CREATE' || request.operation === 'UPDATE') &&
    (isWriteOf(request, 'pods') || isWriteOf(request, 'priorityclasses', group)),
  mutate(request, context) {
    const { object, oldObject } = request
    if (object === undefined || !isWriteOf(request, 'pods')) return
    const spec = (draftOf<Pod>(object).spec ??= {})
    if (oldObject === undefined) return setPriority(spec, request, context)
    // Once set, it stays: an update that leaves it out does not mean to change it.
    const old = viewOf<Pod>(oldObject).spec ?? {}
    if (old.priority !== undefined) spec.priority ??= old.priority
    if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= policyOf(old.preemptionPolicy)
  },
  validate(request, { cluster }) {
    const { object, operation } = request
    if (object === undefined || !isWriteOf(request, 'priorityclasses', group)) return
    if (viewOf<PriorityClass>(object).globalDefault !== true) return
    const other = defaultClass(cluster)
    if (other === undefined || (operation === 'UPDATE' && other.metadata?.name === object.metadata.name))
      return
    throw refused(
      request,
      `PriorityClass ${other.metadata?.name ?? ''} is already marked as default. Only one default can exist`,
    )
  },
}

function defaultClass(cluster: ClusterState): View<PriorityClass> | undefined {
  return cluster
    .list(resource)
    .map((stored) => viewOf<PriorityClass>(stored))
    .filter((each) => each.globalDefault === true)
    .sort((left, right) => (left.value ?? 0) - (right.value ?? 0))[0]
}

function setPriority(
  spec: NonNullable<Draft<Pod>['spec']>,
  request: AdmissionRequest,
  { cluster }: AdmissionContext,
): void {
  const name = spec.priorityClassName ?? ''
  const found = name === '' ? defaultClass(cluster) : findClass(name, request, cluster)
  const value = found?.value ?? 0
  const policy = found === undefined ? 'PreemptLowerPriority' : found.preemptionPolicy
  const className = found?.metadata?.name ?? name
  if (className !== '') spec.priorityClassName = className
  if (spec.priority !== undefined && spec.priority !== value)
    throw refused(
      request,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    )
  spec.priority = value
  if (policy === undefined) return
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
    throw refused(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    )
  spec.preemptionPolicy = policyOf(policy)
}

function policyOf(text: string): 'Never' | 'PreemptLowerPriority' {
  return text === 'Never' ? 'Never' : 'PreemptLowerPriority'
}

function findClass(name: string, request: AdmissionRequest, cluster: ClusterState): View<PriorityClass> {
  const stored = cluster.get(resource, '', name)
  if (stored === undefined) throw refused(request, `no PriorityClass with name ${name} was found`)
  return viewOf<PriorityClass>(stored)
}
