import type { PodSpec, ResourceRequirements } from '../../../kinds/core/v1.js'
import { addQuantities, compareQuantities, formatQuantity } from '../../../objects/index.js'
import type { View } from '../draft.js'

type Sums = Map<string, string>

/** How a pod is treated when its node runs out of memory: by what its containers ask for. */
export function qosClassOf(spec: View<PodSpec>): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const parts: View<ResourceRequirements>[] = spec.resources
    ? [spec.resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources ?? {})
  const requests: Sums = new Map()
  const limits: Sums = new Map()
  let isLimited = true
  for (const part of parts) {
    addPositive(requests, part.requests)
    addPositive(limits, part.limits)
    const own: Sums = new Map()
    addPositive(own, part.limits)
    // A pod that asks as a whole without any limit is not looked at here, as in the server.
    if (own.size < 2 && !(spec.resources && part.limits === undefined)) isLimited = false
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort'
  const isEqual = [...requests].every(([name, amount]) => {
    const limit = limits.get(name)
    return limit !== undefined && compareQuantities(limit, amount) === 0
  })
  return isLimited && isEqual && requests.size === limits.size ? 'Guaranteed' : 'Burstable'
}

function addPositive(sums: Sums, amounts: View<ResourceRequirements>['limits']): void {
  for (const name of ['cpu', 'memory']) {
    const amount = amounts?.[name]
    if (amount === undefined || compareQuantities(amount, 0) <= 0) continue
    const sum = sums.get(name)
    sums.set(name, formatQuantity(addQuantities(sum ?? '0', amount)))
  }
}
