import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  type QuantityInput,
  subtractQuantities,
} from '../../objects/index.js'

/** Amounts by the names that quotas have for them: `requests.cpu`, `count/widgets.example.com`. */
export type Usage = ReadonlyMap<string, Quantity>

const zero = parseQuantity(0)

/** Amounts as an object has them. */
export function usageOf(amounts: Readonly<Record<string, QuantityInput | undefined>> | undefined): Usage {
  const usage = new Map<string, Quantity>()
  for (const [name, amount] of Object.entries(amounts ?? {}))
    if (amount !== undefined) usage.set(name, parseQuantity(amount))
  return usage
}

/** The form that an object has them in, in the order of their names. */
export function amountsOf(usage: Usage): Record<string, string> {
  return Object.fromEntries(sorted(usage).map(([name, amount]) => [name, formatQuantity(amount)]))
}

/** As refusals show them. */
export function shownUsage(usage: Usage): string {
  return sorted(usage)
    .map(([name, amount]) => `${name}=${formatQuantity(amount)}`)
    .join(',')
}

export function addUsage(left: Usage, right: Usage): Usage {
  const sum = new Map(left)
  for (const [name, amount] of right) sum.set(name, addQuantities(sum.get(name) ?? zero, amount))
  return sum
}

/** What the left has more; nothing is less than zero. */
export function growth(left: Usage, right: Usage): Usage {
  const more = new Map<string, Quantity>()
  for (const [name, amount] of left) {
    const difference = subtractQuantities(amount, right.get(name) ?? zero)
    more.set(name, difference.nanos > 0n ? difference : zero)
  }
  return more
}

export function pickUsage(usage: Usage, isPicked: (name: string, amount: Quantity) => boolean): Usage {
  return new Map([...usage].filter(([name, amount]) => isPicked(name, amount)))
}

/** Whether both have the same names with the same amounts, however written. */
export function isSameUsage(left: Usage, right: Usage): boolean {
  return (
    left.size === right.size &&
    [...left].every(([name, amount]) => {
      const other = right.get(name)
      return other !== undefined && compareQuantities(amount, other) === 0
    })
  )
}

function sorted(usage: Usage): [name: string, amount: Quantity][] {
  return [...usage].toSorted(([left], [right]) => (left < right ? -1 : 1))
}
