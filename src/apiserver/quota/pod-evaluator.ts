import type { Pod, PodAffinityTerm } from '../../kinds/core/v1.js'
import { addQuantities, parseQuantity, parseTime, type QuantityInput } from '../../objects/index.js'
import { podAmounts } from '../admission/plugins/pod-amounts.js'
import { type View, viewOf } from '../builtin/draft.js'
import { qosClassOf } from '../builtin/pod/qos.js'
import { isExtendedResource, isHugePages, isNativeResource } from '../builtin/resource-names.js'
import type { QuotaEvaluator, ScopeSelector } from './evaluator.js'
import { selectsName } from './scope-selector.js'
import { type Usage, usageOf } from './usage.js'

const compute = ['cpu', 'memory', 'ephemeral-storage']
const names: ReadonlySet<string> = new Set([
  'pods',
  'count/pods',
  ...compute.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
])
/** Every container has to say these where a quota limits them. */
const demanded: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
)

export const podEvaluator: QuotaEvaluator = {
  tracks: (name) =>
    names.has(name) ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-') ||
    (name.startsWith('requests.') && !isNativeResource(name)),

  handles({ operation, info, object, oldObject }) {
    if (info.subresource === 'resize') return operation === 'UPDATE'
    if (info.subresource !== '') return false
    if (operation !== 'UPDATE' || object === undefined || oldObject === undefined)
      return operation === 'CREATE'
    return isTerminating(viewOf<Pod>(object)) !== isTerminating(viewOf<Pod>(oldObject))
  },

  problem(object, limited) {
    const { spec } = viewOf<Pod>(object)
    if (spec?.resources?.requests !== undefined || spec?.resources?.limits !== undefined) return undefined
    const missing = new Map<string, string[]>()
    for (const { name = '', resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
      const given = computeUsage(resources?.requests ?? {}, resources?.limits ?? {})
      for (const each of limited)
        if (demanded.has(each) && !given.has(each)) missing.set(each, [...(missing.get(each) ?? []), name])
    }
    if (missing.size === 0) return undefined
    const texts = [...missing.keys()]
      .toSorted()
      .map((each) => `${each} for: ${(missing.get(each) ?? []).toSorted().join(',')}`)
    return `must specify ${texts.join('; ')}`
  },

  isWithin(scope, object) {
    return isPodWithin(scope, viewOf<Pod>(object))
  },

  usage(object, nowMs) {
    const pod = viewOf<Pod>(object)
    const counted = usageOf({ 'count/pods': 1 })
    if (!isCharged(pod, nowMs)) return counted
    const overhead = pod.spec?.overhead ?? {}
    const requests = withOverhead(podAmounts(pod, 'requests'), overhead, true)
    const limits = withOverhead(podAmounts(pod, 'limits'), overhead, false)
    return new Map([...counted, ...computeUsage(requests, limits)])
  },
}

type Amounts = Readonly<Record<string, QuantityInput | undefined>>

/** What the runtime itself needs is asked for with the rest, and allowed where there is a limit. */
function withOverhead(amounts: Amounts, overhead: Amounts, isAlways: boolean): Amounts {
  const sum: Record<string, QuantityInput | undefined> = { ...amounts }
  for (const [name, amount] of Object.entries(overhead)) {
    const known = sum[name]
    if (known === undefined && !isAlways) continue
    sum[name] = known === undefined ? amount : addQuantities(known, amount ?? 0)
  }
  return sum
}

function computeUsage(requests: Amounts, limits: Amounts): Usage {
  const used: Record<string, QuantityInput | undefined> = { pods: parseQuantity(1) }
  for (const name of compute) {
    used[name] = requests[name]
    used[`requests.${name}`] = requests[name]
    used[`limits.${name}`] = limits[name]
  }
  for (const [name, amount] of Object.entries(requests)) {
    if (isHugePages(name)) used[name] = amount
    if (isHugePages(name) || isExtendedResource(name)) used[`requests.${name}`] = amount
  }
  return usageOf(used)
}

/** One that has ended, or should have, uses nothing any more. */
function isCharged({ metadata, status }: View<Pod>, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {}
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true
  return nowMs <= parseTime(deletionTimestamp) + deletionGracePeriodSeconds * 1000
}

function isTerminating({ spec }: View<Pod>): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0
}

function isPodWithin(scope: ScopeSelector, pod: View<Pod>): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(pod)
    case 'NotTerminating':
      return !isTerminating(pod)
    case 'BestEffort':
      return qosClassOf(pod.spec ?? {}) === 'BestEffort'
    case 'NotBestEffort':
      return qosClassOf(pod.spec ?? {}) !== 'BestEffort'
    case 'PriorityClass':
      return selectsName(scope, pod.spec?.priorityClassName || undefined)
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(pod)
    default:
      return false
  }
}

/** Whether its place depends on pods of other namespaces. */
function looksElsewhere({ spec }: View<Pod>): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {}
  const terms: (View<PodAffinityTerm> | undefined)[] = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => each.podAffinityTerm),
  ])
  return terms.some((term) => (term?.namespaces ?? []).length > 0 || term?.namespaceSelector !== undefined)
}
