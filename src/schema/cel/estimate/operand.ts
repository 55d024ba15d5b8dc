import type { Expr } from '../syntax/ast.js'
import type { CelType } from '../value/type.js'
import { type Size, unknownSize } from './size.js'

/** An argument or the target of a call, as far as it decides what the call costs. */
export interface Operand {
  readonly expr: Expr | undefined
  readonly type: CelType
  /** Where in the data it comes from: a variable, then fields, `@items`, `@keys`, `@values`. Empty if unknown. */
  readonly path: readonly string[]
  readonly size: Size | undefined
}

/** What a call costs at most, and how large its result is where that can be told. */
export interface CallEstimate {
  readonly cost: number
  readonly size?: Size
}

/** What a call is made with. */
export interface CallOperands {
  /** Of `target.name(...)`. */
  readonly target: Operand | undefined
  readonly args: readonly Operand[]
  /** What it costs to come by each argument. */
  readonly argCosts: readonly number[]
  readonly sizeByPath: SizeByPath
}

/** The size by the declared limits of the data at a path. */
export type SizeByPath = (path: readonly string[]) => Size | undefined

/** The size of an operand, by what is computed or by what is declared. */
export function sizeOf(operand: Operand, sizeByPath: SizeByPath): Size {
  return operand.size ?? sizeByPath(operand.path) ?? unknownSize
}

/** The constant behind an operand, 0 for a negative one; `fallback` for what is not an integer that is written down. */
export function integerOf(operand: Operand | undefined, fallback: number): number {
  const value = operand?.expr?.node === 'literal' ? operand.expr.value : undefined
  if (typeof value !== 'bigint') return fallback
  return value < 0n ? 0 : Number(value)
}
