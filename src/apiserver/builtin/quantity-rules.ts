import {
  compareQuantities,
  parseQuantity,
  type QuantityInput,
  quantityToInteger,
} from '../../objects/index.js'
import { compareCodePoints } from '../../schema/internal.js'
import { type FieldError, invalid } from './field-errors.js'
import { isCounted } from './resource-names.js'

/** What is asked for or limited, by resource: quantities as JSON has them. */
export type Amounts = Readonly<Record<string, string | number | undefined>>

/** The members of requests or limits in the order of their names. */
export function amountEntries(amounts: Amounts | null | undefined): [name: string, amount: string][] {
  return Object.entries(amounts ?? {})
    .map(([name, amount]): [string, string] => [name, String(amount ?? '0')])
    .sort(([left], [right]) => compareCodePoints(left, right))
}

/** A text that is no quantity, which the decoder has refused, counts as none. */
export function compareAmounts(left: QuantityInput, right: QuantityInput): number {
  if (left === right) return 0
  try {
    return compareQuantities(left, right)
  } catch {
    return 0
  }
}

function isNegative(amount: string): boolean {
  return amount.startsWith('-') && compareAmounts(amount, 0) < 0
}

/** What is wrong with the amount of a resource. */
export function validateAmount(name: string, amount: string, path: string): FieldError[] {
  const errors = isNegative(amount) ? [invalid(path, amount, 'must be greater than or equal to 0')] : []
  if (isCounted(name) && !isWhole(amount)) errors.push(invalid(path, amount, 'must be an integer'))
  return errors
}

/** What is wrong with an amount that only must not be negative; it is shown in whole units. */
export function validateNotNegative(amount: string, path: string): FieldError[] {
  return isNegative(amount)
    ? [invalid(path, quantityToInteger(amount), 'must be a valid resource quantity')]
    : []
}

/** What is wrong with an amount that must be there. */
export function validatePositive(amount: string, path: string): FieldError[] {
  return compareAmounts(amount, 0) > 0 ? [] : [invalid(path, amount, 'must be greater than zero')]
}

function isWhole(amount: string): boolean {
  return (nanosOf(amount) ?? 0n) % 1_000_000_000n === 0n
}

/** An amount in billionths; nothing for a text that is no quantity. */
export function nanosOf(amount: QuantityInput): bigint | undefined {
  try {
    return parseQuantity(amount).nanos
  } catch {
    return undefined
  }
}
