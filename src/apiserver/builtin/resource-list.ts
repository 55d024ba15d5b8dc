import { formatQuantity, parseQuantity, type QuantityInput } from '../../objects/index.js'

/** Amounts by resource, as `requests` and `limits` have them. */
export type ResourceList = Record<string, QuantityInput | undefined>

const nanosPerMilli = 1_000_000n

/** Rounds every amount up to thousandths, as the server does. In place. */
export function roundResources(list: Record<string, unknown> | null | undefined): void {
  for (const name of Object.keys(list ?? {})) {
    const text: unknown = list?.[name]
    // Only a text with this many letters can be as small, and nearly none are.
    if (list === undefined || list === null || typeof text !== 'string') continue
    if (!/[nu.]|e-/i.test(text)) continue
    const rounded = roundedText(text)
    if (rounded !== undefined) list[name] = rounded
  }
}

function roundedText(text: string): string | undefined {
  try {
    const quantity = parseQuantity(text)
    const rest = quantity.nanos % nanosPerMilli
    if (rest === 0n) return undefined
    const step = quantity.nanos > 0n ? nanosPerMilli : 0n
    return formatQuantity({ nanos: quantity.nanos - rest + step, format: quantity.format })
  } catch {
    // Not a quantity: the decoder has refused it.
    return undefined
  }
}
