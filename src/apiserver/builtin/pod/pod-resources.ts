import type { Container, PodSpec } from '../../../kinds/core/v1.js'
import { addQuantities, compareQuantities, formatQuantity } from '../../../objects/index.js'
import type { Draft, View } from '../draft.js'
import { nanosOf } from '../quantity-rules.js'
import { isHugePages } from '../resource-names.js'

type Amounts = Record<string, string>

/** Whether a pod as a whole may ask for this resource. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}

/** What all containers of a pod need together; restartable init containers run beside the others. */
export function containerAmounts(spec: View<PodSpec>, side: 'requests' | 'limits'): Amounts {
  const total: Amounts = {}
  for (const container of spec.containers ?? []) addTo(total, amountsOf(container, side))
  const sidecars: Amounts = {}
  const peaks: Amounts = {}
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container, side)
    if (container.restartPolicy === 'Always') {
      addTo(total, own)
      addTo(sidecars, own)
      raiseTo(peaks, sidecars)
    } else {
      const beside = { ...own }
      addTo(beside, sidecars)
      raiseTo(peaks, beside)
    }
  }
  raiseTo(total, peaks)
  return total
}

/**
 * A pod that limits itself as a whole also asks for something as a whole: what its containers ask for, or its limits.
 */
export function defaultPodResources(spec: Draft<PodSpec>): void {
  const { resources } = spec
  if (!resources) return
  defaultHugePageLimits(spec)
  const { limits } = resources
  if (limits === undefined) return
  const requests = { ...resources.requests }
  for (const [name, amount] of Object.entries(containerAmounts(spec, 'requests')))
    if (isPodLevelResource(name) && !isHugePages(name)) requests[name] ??= amount
  for (const [name, amount] of Object.entries(limits)) if (isPodLevelResource(name)) requests[name] ??= amount
  if (Object.keys(requests).length > 0) resources.requests = requests
}

function defaultHugePageLimits(spec: Draft<PodSpec>): void {
  const { resources } = spec
  if (!resources || (resources.limits === undefined && resources.requests === undefined)) return
  const limits = { ...resources.limits }
  for (const [name, amount] of Object.entries(containerAmounts(spec, 'limits')))
    if (isHugePages(name) && resources.requests?.[name] === undefined) limits[name] ??= amount
  if (Object.keys(limits).length > 0) resources.limits = limits
}

function amountsOf(container: View<Container>, side: 'requests' | 'limits'): Amounts {
  const amounts: Amounts = {}
  for (const [name, amount] of Object.entries(container.resources?.[side] ?? {}))
    if (amount !== undefined && nanosOf(amount) !== undefined) amounts[name] = String(amount)
  return amounts
}

function addTo(sum: Amounts, more: Readonly<Amounts>): void {
  for (const [name, amount] of Object.entries(more)) {
    const present = sum[name]
    sum[name] = present === undefined ? amount : formatQuantity(addQuantities(present, amount))
  }
}

function raiseTo(highest: Amounts, other: Readonly<Amounts>): void {
  for (const [name, amount] of Object.entries(other)) {
    const present = highest[name]
    if (present === undefined || compareQuantities(amount, present) > 0) highest[name] = amount
  }
}
