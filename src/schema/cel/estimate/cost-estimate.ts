import type { CheckedProgram } from '../check/checker.js'
import { type CallExpr, childrenOf, type Expr, type FoldExpr, type SelectExpr } from '../syntax/ast.js'
import { characterCount } from '../value/text.js'
import { type CelType, errorType } from '../value/type.js'
import { ofKind } from '../value/value.js'
import { estimateCall } from './call-estimates.js'
import type { DeclaredSize } from './declared-size.js'
import type { CallOperands, Operand } from './operand.js'
import { add, fixedSize, multiply, type Size, unionOf, unknownSize } from './size.js'

const listCreation = 10
const mapCreation = 30

/**
 * What a program costs at most, in the server's units, when `self` is of the declared size: the number by which the
 * server refuses rules before they ever run. It follows the server's arithmetic, its inaccuracies included, because
 * only the same number gives the same verdict.
 */
export function estimateCost(program: CheckedProgram, declared: DeclaredSize): number {
  return new Estimation(program, declared).cost(program.expr)
}

/** The sizes of what is in a list or a map. */
interface EntrySize {
  readonly container: 'list' | 'map'
  readonly key: Size
  readonly value: Size
}

interface Local {
  readonly path: readonly string[]
  readonly size: Size | undefined
  readonly entry: EntrySize | undefined
}

class Estimation {
  readonly #program: CheckedProgram
  readonly #declared: DeclaredSize
  readonly #paths = new Map<Expr, readonly string[]>()
  readonly #sizes = new Map<Expr, Size>()
  readonly #entries = new Map<Expr, EntrySize>()
  readonly #locals = new Map<string, Local[]>()

  constructor(program: CheckedProgram, declared: DeclaredSize) {
    this.#program = program
    this.#declared = declared
  }

  cost(expr: Expr): number {
    switch (expr.node) {
      case 'literal':
        return 0
      case 'ident':
        return this.#ident(expr, expr.name)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr, expr.elements)
      case 'map':
        return this.#map(expr)
      // No rule can make one: the checker has refused it.
      case 'struct':
        return 0
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr)
    }
  }

  #ident(expr: Expr, name: string): number {
    this.#paths.set(expr, this.#local(name)?.path ?? [name])
    return 1
  }

  #select(expr: SelectExpr): number {
    const reference = this.#program.references.get(expr)
    // `google.protobuf.Timestamp` is one name, not a path.
    if (reference !== undefined && reference.kind !== 'function') return this.#ident(expr, reference.name)
    const cost = this.cost(expr.operand)
    // A test of presence costs what stands before the field.
    if (expr.testOnly) return cost
    const { sort } = this.#typeOf(expr.operand)
    this.#paths.set(expr, [...this.#pathOf(expr.operand), expr.field])
    return sort === 'map' || sort === 'struct' || sort === 'param' ? add(cost, 1) : cost
  }

  #list(expr: Expr, elements: readonly Expr[]): number {
    let cost = listCreation
    for (const element of elements) cost = add(cost, this.cost(element))
    this.#entries.set(expr, {
      container: 'list',
      key: fixedSize(1),
      value: this.#cover(elements),
    })
    return cost
  }

  #map(expr: Expr & { node: 'map' }): number {
    let cost = mapCreation
    for (const part of childrenOf(expr)) cost = add(cost, this.cost(part))
    const key = this.#cover(expr.entries.map((entry) => entry.key))
    const value = this.#cover(expr.entries.map((entry) => entry.value))
    this.#entries.set(expr, { container: 'map', key, value })
    return cost
  }

  #cover(exprs: readonly Expr[]): Size {
    return (
      exprs
        .map((expr) => this.#sizeOf(expr) ?? unknownSize)
        .reduce<Size | undefined>(
          (all, size) => (all === undefined ? size : unionOf(all, size)),
          undefined,
        ) ?? fixedSize(0)
    )
  }

  #call(call: CallExpr): number {
    const [first] = call.args
    if (call.name === 'dyn' && call.target === undefined && first !== undefined) {
      const cost = add(this.cost(first), 1)
      this.#copySizes(call, first)
      return cost
    }
    const argCosts: number[] = []
    const args = call.args.map((arg) => {
      argCosts.push(this.cost(arg))
      return this.#operand(arg)
    })
    const reference = this.#program.references.get(call)
    const isQualified = reference?.kind === 'function' && reference.qualified
    const isMember = call.target !== undefined && !isQualified
    const targetCost = isMember && call.target !== undefined ? this.cost(call.target) : 0
    const target = isMember && call.target !== undefined ? this.#operand(call.target) : undefined
    const overloads =
      reference?.kind === 'function' ? reference.overloads.map(({ id }) => id) : [optionalSelection]
    const name = reference?.kind === 'function' ? reference.declaration.name : call.name
    const operands: CallOperands = { target, args, argCosts, sizeByPath: this.#sizeByPath }
    return add(targetCost, this.#overloads(call, name, overloads, operands))
  }

  /** What covers all signatures that may be meant. */
  #overloads(call: CallExpr, name: string, overloads: readonly string[], operands: CallOperands): number {
    let cost = 0
    let size: Size | undefined
    const [container] = call.args
    for (const overload of overloads) {
      const estimate = estimateCall(name, overload, operands)
      cost = Math.max(cost, estimate.cost)
      if (estimate.size !== undefined)
        size = size === undefined ? estimate.size : unionOf(size, estimate.size)
      this.#mergeEntries(call, overload)
      if (container !== undefined && (overload === 'index_list' || overload === 'index_map')) {
        size = this.#entryOf(container)?.value
        const part = overload === 'index_list' ? '@items' : '@values'
        this.#paths.set(call, [...this.#pathOf(container), part])
      }
      size ??= this.#sizeOf(call)
    }
    if (size !== undefined) this.#sizes.set(call, size)
    return cost
  }

  /** What is in a choice or a concatenation is in one of its parts. */
  #mergeEntries(call: CallExpr, overload: string): void {
    const merged =
      overload === 'conditional' ? call.args.slice(1) : overload.startsWith('add_') ? call.args : []
    const [left, right] = merged.map((arg) => this.#entryOf(arg))
    const entry = unionOfEntries(left, right)
    if (entry !== undefined) this.#entries.set(call, entry)
  }

  #fold(fold: FoldExpr): number {
    let cost = add(this.cost(fold.range), this.cost(fold.accuInit))
    this.#push(fold.accuVar, {
      path: this.#pathOf(fold.accuInit),
      entry: this.#entryOf(fold.accuInit),
      size: this.#sizeOf(fold.accuInit),
    })
    this.#pushIteration(fold)
    const each = add(this.cost(fold.condition), this.cost(fold.step))
    this.#pop(fold.iterVar)
    if (fold.iterVar2 !== undefined) this.#pop(fold.iterVar2)
    cost = add(cost, this.cost(fold.result))
    this.#pop(fold.accuVar)
    const rounds = this.#sizeOf(fold.range) ?? unknownSize
    cost = add(cost, multiply(rounds.max, each))
    if (fold.accuInit.node === 'literal') {
      const size = this.#sizeOf(fold.accuInit)
      if (size !== undefined) this.#sizes.set(fold, size)
    } else if (fold.accuInit.node === 'list' || fold.accuInit.node === 'map') {
      this.#sizes.set(fold, rounds)
      const entry = this.#entryOf(fold.step)
      if (entry !== undefined) this.#entries.set(fold, entry)
    }
    return cost
  }

  #pushIteration(fold: FoldExpr): void {
    const entry = this.#entryOf(fold.range)
    const isList = (entry?.container ?? this.#typeOf(fold.range).sort) === 'list'
    const path = this.#pathOf(fold.range)
    const local = (part: string, size: Size | undefined): Local => ({
      path: [...path, part],
      size,
      entry: undefined,
    })
    if (fold.iterVar2 === undefined) {
      this.#push(fold.iterVar, isList ? local('@items', entry?.value) : local('@keys', entry?.key))
      return
    }
    this.#push(fold.iterVar, local(isList ? '@indices' : '@keys', entry?.key))
    this.#push(fold.iterVar2, local(isList ? '@items' : '@values', entry?.value))
  }

  /** A value under a name: the loop is never entered. */
  #binding(fold: FoldExpr): number {
    const cost = add(this.cost(fold.range), this.cost(fold.accuInit))
    this.#push(fold.accuVar, {
      path: this.#pathOf(fold.accuInit),
      entry: this.#entryOf(fold.accuInit),
      size: this.#sizeOf(fold.accuInit),
    })
    const result = this.cost(fold.result)
    this.#pop(fold.accuVar)
    this.#copySizes(fold, fold.result)
    return add(cost, result)
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name)
    if (stack === undefined) this.#locals.set(name, [local])
    else stack.push(local)
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop()
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1)
  }

  #typeOf(expr: Expr): CelType {
    return this.#program.types.get(expr) ?? errorType
  }

  #pathOf(expr: Expr): readonly string[] {
    const local = expr.node === 'ident' ? this.#local(expr.name) : undefined
    return local?.path ?? this.#paths.get(expr) ?? []
  }

  #operand(expr: Expr): Operand {
    const path = this.#pathOf(expr)
    const isAccumulated = path[0] === '@result' || path[0] === '__result__'
    return { expr, type: this.#typeOf(expr), path: isAccumulated ? [] : path, size: this.#sizeOf(expr) }
  }

  #entryOf(expr: Expr): EntrySize | undefined {
    const known = this.#entries.get(expr)
    if (known !== undefined || expr.node !== 'ident') return known
    return this.#local(expr.name)?.entry
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOf(from)
    if (size !== undefined) this.#sizes.set(to, size)
    const entry = this.#entryOf(from)
    if (entry !== undefined) this.#entries.set(to, entry)
  }

  #sizeOf(expr: Expr): Size | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr)
    if (known !== undefined) return known
    const declared = this.#sizeByPath(this.#pathOf(expr))
    if (declared !== undefined) {
      this.#sizes.set(expr, declared)
      return declared
    }
    if (isScalar(this.#typeOf(expr))) return fixedSize(1)
    return expr.node === 'ident' ? this.#local(expr.name)?.size : undefined
  }

  // The first part is taken for `self` whatever it is, as the server does.
  readonly #sizeByPath = (path: readonly string[]): Size | undefined => {
    if (path.length === 0) return undefined
    let at: DeclaredSize | undefined = this.#declared
    for (const part of path.slice(1)) {
      if (part === '@items' || part === '@values') at = at.element
      else if (part === '@keys') at = at.key
      else at = at.fields?.get(part)
      if (at === undefined) return undefined
    }
    return { min: 0, max: at.maxElements }
  }
}

const optionalSelection = 'select_optional_field'

function isBinding({ range, condition, accuVar }: FoldExpr): boolean {
  return (
    range.node === 'list' &&
    range.elements.length === 0 &&
    condition.node === 'literal' &&
    condition.value === false &&
    accuVar !== '__result__'
  )
}

function unionOfEntries(left: EntrySize | undefined, right: EntrySize | undefined): EntrySize | undefined {
  if (left === undefined || right === undefined) return undefined
  return {
    container: left.container,
    key: unionOf(left.key, right.key),
    value: unionOf(left.value, right.value),
  }
}

function literalSize(expr: Expr): Size | undefined {
  if (expr.node === 'list') return fixedSize(expr.elements.length)
  if (expr.node === 'map') return fixedSize(expr.entries.length)
  if (expr.node !== 'literal') return undefined
  if (typeof expr.value === 'string') return fixedSize(characterCount(expr.value))
  return fixedSize(ofKind(expr.value, 'bytes')?.bytes.length ?? 1)
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

function isScalar(type: CelType): boolean {
  if (scalars.has(type.sort)) return true
  const [inner] = type.parameters
  return type.sort === 'opaque' && type.name === 'optional_type' && inner !== undefined && isScalar(inner)
}
