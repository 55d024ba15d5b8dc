import type { PodCondition, PodStatus } from '../../../kinds/core/v1.js'
import type { Draft } from '../draft.js'

/** Sets a condition of a pod as the server itself does. The time changes with the status only. */
export function setPodCondition(
  status: Draft<PodStatus>,
  condition: {
    readonly type: string
    readonly status: string
    readonly reason?: string
    readonly message?: string
  },
  now: string,
): void {
  const conditions = (status.conditions ??= [])
  const old = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : now
  // Null stands for "never" where Go has a time without a pointer.
  const next: Draft<PodCondition> = { ...condition, lastProbeTime: null, lastTransitionTime }
  if (old === undefined) conditions.push(next)
  else conditions[conditions.indexOf(old)] = next
}
