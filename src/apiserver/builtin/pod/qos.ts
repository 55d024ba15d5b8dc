import type { PodSpec, ResourceRequirements } from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { nanosOf } from '../quantity-rules.js'

/** In billionths, by resource. */
type Sums = Map<string, bigint>

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
    const own: Sums = new Map()
    addPositive(own, part.limits)
    for (const [name, amount] of own) limits.set(name, (limits.get(name) ?? 0n) + amount)
    // A pod that asks as a whole without any limit is not looked at here, as in the server.
    if (own.size < 2 && !(spec.resources && part.limits === undefined)) isLimited = false
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort'
  const isEqual = [...requests].every(([name, amount]) => limits.get(name) === amount)
  return isLimited && isEqual && requests.size === limits.size ? 'Guaranteed' : 'Burstable'
}

function addPositive(sums: Sums, amounts: View<ResourceRequirements>['limits']): void {
  for (const name of ['cpu', 'memory']) {
    const amount = amounts?.[name]
    const nanos = amount === undefined ? 0n : (nanosOf(amount) ?? 0n)
    if (nanos > 0n) sums.set(name, (sums.get(name) ?? 0n) + nanos)
  }
}
