import type { CelValue } from '../value/value.js'

/** A program as a tree. `offset` is the place that messages about the node point at. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | FoldExpr

interface Node {
  readonly offset: number
}

interface LiteralExpr extends Node {
  readonly node: 'literal'
  readonly value: CelValue
}

interface IdentExpr extends Node {
  readonly node: 'ident'
  readonly name: string
}

/** `operand.field`; with `testOnly` it is `has(operand.field)`. */
export interface SelectExpr extends Node {
  readonly node: 'select'
  readonly operand: Expr
  readonly field: string
  readonly testOnly: boolean
}

/** A function or operator. With a `target` it was written `target.name(args)`. */
export interface CallExpr extends Node {
  readonly node: 'call'
  readonly name: string
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
}

/** `[a, ?b]`. */
export interface ListExpr extends Node {
  readonly node: 'list'
  readonly elements: readonly Expr[]
  /** Which elements were written `?element`. */
  readonly optional: ReadonlySet<number>
}

/** `key: value` or `?key: value` in a map. */
export interface MapEntry {
  readonly offset: number
  readonly key: Expr
  readonly value: Expr
  readonly optional: boolean
}

/** `{a: b}`. */
export interface MapExpr extends Node {
  readonly node: 'map'
  readonly entries: readonly MapEntry[]
}

/** `field: value` or `?field: value` in a struct. */
export interface StructField {
  readonly offset: number
  readonly name: string
  readonly value: Expr
  readonly optional: boolean
}

/** `Name{field: value}`. */
export interface StructExpr extends Node {
  readonly node: 'struct'
  readonly typeName: string
  readonly fields: readonly StructField[]
}

/** What every comprehension macro becomes: a loop over a range with an accumulator. */
export interface FoldExpr extends Node {
  readonly node: 'fold'
  readonly range: Expr
  readonly iterVar: string
  /** With it, `iterVar` is the index or key and this the element or value. */
  readonly iterVar2: string | undefined
  readonly accuVar: string
  readonly accuInit: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}

/** `a.b.c` as one name, if the expression is nothing else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.node === 'ident') return expr.name
  if (expr.node !== 'select' || expr.testOnly) return undefined
  const prefix = qualifiedName(expr.operand)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}

/** The nodes directly below a node. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.node) {
    case 'literal':
    case 'ident':
      return []
    case 'struct':
      return expr.fields.map(({ value }) => value)
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args]
    case 'list':
      return expr.elements
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value])
    case 'fold':
      return [expr.range, expr.accuInit, expr.condition, expr.step, expr.result]
  }
}
