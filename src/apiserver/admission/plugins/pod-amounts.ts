import type { Container, Pod } from '../../../kinds/core/v1.js'
import { addQuantities, compareQuantities, formatQuantity } from '../../../objects/index.js'
import type { View } from '../../builtin/draft.js'
import type { ResourceAmounts } from './limit-rules.js'

type Sums = Map<string, string | number>

function add(sums: Sums, amounts: ResourceAmounts | ReadonlyMap<string, string | number>): void {
  for (const [name, amount] of amounts instanceof Map ? amounts : Object.entries(amounts)) {
    const known = sums.get(name)
    if (amount !== undefined)
      sums.set(name, known === undefined ? amount : formatQuantity(addQuantities(known, amount)))
  }
}

function raise(sums: Sums, amounts: Sums): void {
  for (const [name, amount] of amounts) {
    const known = sums.get(name)
    if (known === undefined || compareQuantities(amount, known) > 0) sums.set(name, amount)
  }
}

/**
 * What a pod needs as a whole: all that runs at the same time together, or one of its init containers with the sidecars
 * that have started before it, whichever is more. What the pod says of itself goes before both.
 */
export function podAmounts({ spec }: View<Pod>, field: 'requests' | 'limits'): ResourceAmounts {
  const of = (container: View<Container>): ResourceAmounts => container.resources?.[field] ?? {}
  const together: Sums = new Map()
  for (const container of spec?.containers ?? []) add(together, of(container))
  const sidecars: Sums = new Map()
  const atStart: Sums = new Map()
  for (const container of spec?.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      add(together, of(container))
      add(sidecars, of(container))
      raise(atStart, sidecars)
    } else {
      const alone: Sums = new Map()
      add(alone, of(container))
      add(alone, sidecars)
      raise(atStart, alone)
    }
  }
  raise(together, atStart)
  const whole = spec?.resources?.[field] ?? {}
  for (const name of ['cpu', 'memory']) {
    const amount = whole[name]
    if (amount !== undefined) together.set(name, amount)
  }
  return Object.fromEntries(together)
}
