import { parseQuantity } from '../../objects/index.js'
import { goQuote, keyPath } from './field-errors.js'

type Amounts = Readonly<Record<string, string | number | undefined>>

/** What the server warns of in amounts that count bytes: parts of one. `path` is that of the resources. */
export function fractionWarnings(
  resources: { readonly limits?: Amounts | undefined; readonly requests?: Amounts | undefined } | undefined,
  order: readonly (readonly [side: 'limits' | 'requests', name: string])[],
  path: string,
): string[] {
  return order.flatMap(([side, name]) => {
    const amount = resources?.[side]?.[name]
    return amount !== undefined && isFractional(String(amount))
      ? [
          `${keyPath(`${path}.${side}`, name)}: fractional byte value ${goQuote(String(amount))} is invalid, must be an integer`,
        ]
      : []
  })
}

function isFractional(amount: string): boolean {
  try {
    return parseQuantity(amount).nanos % 1_000_000_000n !== 0n
  } catch {
    return false
  }
}
