import { matching } from './matching.js'
import type { CallEstimate, CallOperands, Operand } from './operand.js'
import { add, addSizes, byFactor, multiply, type Size, unionOf, unknownSize } from './size.js'

const perCharacter = 0.1

/** Of operators and functions of the language itself that cost more than their arguments and 1; `undefined` for all others. */
export function languageEstimate(
  overload: string,
  { target, args, argCosts }: CallOperands,
): CallEstimate | undefined {
  const argCost = argCosts.reduce(add, 0)
  const plus = (cost: number, size?: Size): CallEstimate => ({
    cost: add(cost, argCost),
    ...(size !== undefined && { size }),
  })
  const [first, second, third] = args
  const size = (operand: Operand | undefined): Size => operand?.size ?? unknownSize
  switch (overload) {
    case 'string_format':
      return plus(byFactor(size(target).max, perCharacter))
    case 'string_to_bytes': {
      const text = size(first)
      return plus(byFactor(text.max, perCharacter), { min: text.min, max: multiply(text.max, 4) })
    }
    case 'bytes_to_string': {
      const bytes = size(first)
      return plus(byFactor(bytes.max, perCharacter), { min: Math.trunc(bytes.min / 4), max: bytes.max })
    }
    case 'strings_quote': {
      const text = size(first)
      // The server's arithmetic overflows here, and an unlimited text becomes an empty one.
      const max = text.max === unknownSize.max ? 0 : text.max * 2 + 2
      return plus(byFactor(text.max, perCharacter), { min: text.min + 2, max })
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return plus(byFactor(size(first).max, perCharacter))
    case 'in_list':
      return plus(size(second).max)
    case 'matches_string':
      return plus(matching(size(target), size(first)))
    case 'contains_string':
      return plus(multiply(byFactor(size(target).max, perCharacter), byFactor(size(first).max, perCharacter)))
    case 'logical_or':
    case 'logical_and':
      return { cost: argCost }
    case 'conditional': {
      const [condition = 0, yes = 0, no = 0] = argCosts
      return { cost: add(condition, Math.max(yes, no)), size: unionOf(size(second), size(third)) }
    }
    case 'add_list':
      return plus(1, addSizes(size(first), size(second)))
    case 'add_string':
    case 'add_bytes': {
      const sum = addSizes(size(first), size(second))
      return plus(byFactor(sum.max, perCharacter), sum)
    }
    default:
      return comparesBySize.has(overload)
        ? plus(byFactor(Math.min(size(first).max, size(second).max), perCharacter))
        : undefined
  }
}

const comparesBySize: ReadonlySet<string> = new Set([
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) => [
    `${name}_string`,
    `${name}_bytes`,
  ]),
  'equals',
  'not_equals',
])
