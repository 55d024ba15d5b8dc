import { assertNever } from '../../../base/index.js'
import {
  type CallExpr,
  type Expr,
  type FoldExpr,
  type ListExpr,
  type MapExpr,
  qualifiedName,
  type StructExpr,
} from '../syntax/ast.js'
import { CelSyntaxError, type Issue } from '../syntax/source.js'
import { runtimeType } from '../value/runtime-type.js'
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  formatType,
  intType,
  isDynType,
  isSameType,
  listTypeOf,
  mapTypeOf,
  optionalTypeOf,
  typeParameter,
} from '../value/type.js'
import { mostGeneral, Substitutions } from './assignability.js'
import type { FunctionDeclaration, FunctionTable, Overload, StructDeclaration } from './declaration.js'

/** What a name or a call was found to mean. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'type'; readonly name: string; readonly type: CelType }
  | {
      readonly kind: 'function'
      readonly declaration: FunctionDeclaration
      /** All that fit. More than one is left to run time. */
      readonly overloads: readonly Overload[]
      /** `sets.contains(a, b)`: the target is part of the name, not an argument. */
      readonly qualified: boolean
    }

/** A program whose every node has a type. */
export interface CheckedProgram {
  readonly expr: Expr
  readonly types: ReadonlyMap<Expr, CelType>
  readonly references: ReadonlyMap<Expr, Reference>
}

interface CheckEnvironment {
  readonly functions: FunctionTable
  readonly variables: ReadonlyMap<string, CelType>
  /** Types that programs may name: `int`, `google.protobuf.Timestamp`. */
  readonly typeNames: ReadonlyMap<string, CelType>
  /** Types that they may make; none, if absent. */
  readonly structOf?: (name: string) => StructDeclaration | undefined
}

/** Gives every node its type. Throws {@link CelSyntaxError} with all that is wrong. */
export function check(source: string, expr: Expr, environment: CheckEnvironment): CheckedProgram {
  return new Checker(source, environment).run(expr)
}

interface Scope {
  readonly names: ReadonlyMap<string, CelType>
  readonly outer: Scope | undefined
}

class Checker {
  readonly #source: string
  readonly #environment: CheckEnvironment
  readonly #types = new Map<Expr, CelType>()
  readonly #references = new Map<Expr, Reference>()
  readonly #issues: Issue[] = []
  readonly #substitutions = new Substitutions()
  #scope: Scope
  #variableCount = 0

  constructor(source: string, environment: CheckEnvironment) {
    this.#source = source
    this.#environment = environment
    this.#scope = { names: environment.variables, outer: undefined }
  }

  run(expr: Expr): CheckedProgram {
    this.#check(expr)
    if (this.#issues.length > 0) throw new CelSyntaxError(this.#source, this.#issues)
    for (const [node, type] of this.#types) this.#types.set(node, this.#substitutions.apply(type, true))
    return { expr, types: this.#types, references: this.#references }
  }

  #report(at: { readonly offset: number }, message: string): void {
    this.#issues.push({ offset: at.offset, message })
  }

  #typeOf(expr: Expr): CelType {
    return this.#types.get(expr) ?? errorType
  }

  #isAssignable(left: CelType, right: CelType): boolean {
    return this.#substitutions.assign([left], [right])
  }

  #newVariable(): CelType {
    return typeParameter(`_var${this.#variableCount++}`)
  }

  #check(expr: Expr): CelType {
    // A macro may use one node twice; its type is the same both times.
    const known = this.#types.get(expr)
    if (known !== undefined) return known
    const type = this.#infer(expr)
    this.#types.set(expr, type)
    return type
  }

  #infer(expr: Expr): CelType {
    switch (expr.node) {
      case 'literal':
        return runtimeType(expr.value)
      case 'ident':
        return this.#ident(expr, expr.name)
      case 'select': {
        const name = qualifiedName(expr)
        const reference = name === undefined ? undefined : this.#lookup(name)
        if (reference !== undefined) return this.#refer(expr, reference)
        const type = this.#field(expr, expr.operand, expr.field, false)
        return expr.testOnly ? boolType : this.#substitutions.apply(type)
      }
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return this.#struct(expr)
      case 'fold':
        return this.#fold(expr)
      default:
        return assertNever(expr)
    }
  }

  #lookup(name: string): { reference: Reference; type: CelType } | undefined {
    for (let scope: Scope | undefined = this.#scope; scope !== undefined; scope = scope.outer) {
      const type = scope.names.get(name)
      if (type !== undefined) return { reference: { kind: 'variable', name }, type }
    }
    const named = this.#environment.typeNames.get(name)
    if (named === undefined) return undefined
    const type: CelType = { kind: 'type', sort: 'type', name: 'type', parameters: [named] }
    return { reference: { kind: 'type', name, type: named }, type }
  }

  #refer(expr: Expr, found: { reference: Reference; type: CelType }): CelType {
    this.#references.set(expr, found.reference)
    return found.type
  }

  #ident(expr: Expr, name: string): CelType {
    const found = this.#lookup(name)
    if (found !== undefined) return this.#refer(expr, found)
    this.#undeclared(expr, name)
    return errorType
  }

  #undeclared(at: Expr, name: string): void {
    this.#report(at, `undeclared reference to '${name}' (in container '')`)
  }

  #field(at: Expr, operand: Expr, field: string, optional: boolean): CelType {
    const operandType = this.#substitutions.apply(this.#check(operand))
    const inner = unwrapOptional(operandType)
    const type = this.#fieldOf(at, inner ?? operandType, field)
    return inner !== undefined || optional ? optionalTypeOf(type) : type
  }

  #fieldOf(at: Expr, type: CelType, field: string): CelType {
    switch (type.sort) {
      case 'map':
        return type.parameters[1] ?? dynType
      case 'struct': {
        if (type.fields === undefined) {
          this.#report(at, `unexpected failed resolution of '${type.name}'`)
          return errorType
        }
        const found = type.fields.get(field)
        if (found === undefined) this.#report(at, `undefined field '${field}'`)
        return found ?? errorType
      }
      case 'param':
        this.#isAssignable(dynType, type)
        return dynType
      case 'dyn':
      case 'any':
      case 'error':
        return dynType
      default:
        this.#report(at, `type '${formatType(type)}' does not support field selection`)
        return dynType
    }
  }

  #call(call: CallExpr): CelType {
    const [operand, name] = call.args
    if (call.name === '_?._' && operand !== undefined && name?.node === 'literal') {
      const field = typeof name.value === 'string' ? name.value : ''
      return this.#substitutions.apply(this.#field(call, operand, field, true))
    }
    for (const arg of call.args) this.#check(arg)
    const { target } = call
    if (target === undefined) return this.#resolveNamed(call, call.name, undefined)
    const prefix = qualifiedName(target)
    const qualified =
      prefix === undefined ? undefined : this.#environment.functions.get(`${prefix}.${call.name}`)
    if (qualified !== undefined) return this.#resolve(call, qualified, undefined)
    this.#check(target)
    return this.#resolveNamed(call, call.name, target)
  }

  #resolveNamed(call: CallExpr, name: string, target: Expr | undefined): CelType {
    const declaration = this.#environment.functions.get(name)
    if (declaration !== undefined) return this.#resolve(call, declaration, target)
    this.#undeclared(call, name)
    return errorType
  }

  #resolve(call: CallExpr, declaration: FunctionDeclaration, target: Expr | undefined): CelType {
    const nodes = target === undefined ? call.args : [target, ...call.args]
    const argTypes = nodes.map((node) => this.#typeOf(node))
    if (declaration.name === '_&&_' || declaration.name === '_||_') return this.#logic(call, declaration)
    const fitting: Overload[] = []
    let result: CelType | undefined
    for (const overload of declaration.overloads) {
      if ((overload.member ?? false) !== (target !== undefined)) continue
      const fresh = this.#instantiate(overload)
      if (!this.#substitutions.assign(argTypes, fresh.parameters)) continue
      fitting.push(overload)
      const type = this.#substitutions.apply(fresh.result)
      if (result === undefined) result = type
      else if (!isDynType(result) && !isSameType(type, result)) result = dynType
    }
    if (result === undefined) {
      this.#noOverload(call, declaration.name, argTypes, target !== undefined)
      return errorType
    }
    const qualified = target === undefined && call.target !== undefined
    this.#references.set(call, { kind: 'function', declaration, overloads: fitting, qualified })
    return result
  }

  #logic(call: CallExpr, declaration: FunctionDeclaration): CelType {
    let wrong = false
    for (const arg of call.args) {
      const type = this.#typeOf(arg)
      if (this.#isAssignable(type, boolType)) continue
      this.#mismatch(arg, boolType, type)
      wrong = true
    }
    this.#references.set(call, {
      kind: 'function',
      declaration,
      overloads: declaration.overloads,
      qualified: false,
    })
    return wrong ? errorType : boolType
  }

  /** The signature with type variables of its own, so that two calls do not share them. */
  #instantiate(overload: Overload): Pick<Overload, 'parameters' | 'result'> {
    const names = new Map<string, CelType>()
    const collect = (type: CelType): void => {
      if (type.sort === 'param' && !names.has(type.name)) names.set(type.name, this.#newVariable())
      type.parameters.forEach(collect)
    }
    collect(overload.result)
    overload.parameters.forEach(collect)
    if (names.size === 0) return overload
    const fresh = new Substitutions(names)
    return {
      parameters: overload.parameters.map((type) => fresh.apply(type)),
      result: fresh.apply(overload.result),
    }
  }

  #noOverload(call: CallExpr, name: string, argTypes: readonly CelType[], member: boolean): void {
    const texts = argTypes.map((type) => formatType(this.#substitutions.apply(type, true)))
    const target = member ? `${texts.shift() ?? ''}.` : ''
    this.#report(call, `found no matching overload for '${name}' applied to '${target}(${texts.join(', ')})'`)
  }

  #mismatch(at: Expr, expected: CelType, actual: CelType): void {
    this.#report(at, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`)
  }

  #list(list: ListExpr): CelType {
    let joined: CelType | undefined
    list.elements.forEach((element, index) => {
      const type = this.#check(element)
      joined = this.#join(joined, list.optional.has(index) ? this.#unwrapped(element, type) : type)
    })
    return listTypeOf(joined ?? this.#newVariable())
  }

  #map(map: MapExpr): CelType {
    let keys: CelType | undefined
    let values: CelType | undefined
    for (const { key, value, optional } of map.entries) {
      keys = this.#join(keys, this.#check(key))
      const type = this.#check(value)
      values = this.#join(values, optional ? this.#unwrapped(value, type) : type)
    }
    return mapTypeOf(keys ?? this.#newVariable(), values ?? this.#newVariable())
  }

  #struct(struct: StructExpr): CelType {
    const declaration = this.#environment.structOf?.(struct.typeName)
    if (declaration === undefined) {
      this.#undeclared(struct, struct.typeName)
      return errorType
    }
    for (const { offset, name, value, optional } of struct.fields) {
      const given = this.#check(value)
      const type = optional ? this.#unwrapped(value, given) : given
      const wanted = declaration.field(name)
      if (wanted === undefined) this.#report({ offset }, `undefined field '${name}'`)
      else if (!this.#isAssignable(wanted, type))
        this.#report(
          { offset },
          `expected type of field '${name}' is '${formatType(wanted)}' but provided type is '${formatType(type)}'`,
        )
    }
    return declaration.type
  }

  /** What `?element` puts into a list: the content of an optional. */
  #unwrapped(at: Expr, type: CelType): CelType {
    const inner = unwrapOptional(type)
    if (inner === undefined && !isDynType(type)) this.#mismatch(at, optionalTypeOf(type), type)
    return inner ?? type
  }

  /** Mixed literals are left to the check of literals, which exempts the arguments of `format`. */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current
    return this.#isAssignable(previous, current) ? mostGeneral(previous, current) : dynType
  }

  #fold(fold: FoldExpr): CelType {
    this.#check(fold.range)
    const accuType = this.#check(fold.accuInit)
    const rangeType = this.#substitutions.apply(this.#typeOf(fold.range))
    const [first, second] = this.#iterationTypes(fold, rangeType)
    const outer = this.#scope
    const withAccu: Scope = { names: new Map([[fold.accuVar, accuType]]), outer }
    const loopNames = new Map([[fold.iterVar, first]])
    if (fold.iterVar2 !== undefined) loopNames.set(fold.iterVar2, second)
    this.#scope = { names: loopNames, outer: withAccu }
    this.#assert(fold.condition, boolType)
    this.#assert(fold.step, accuType)
    this.#scope = withAccu
    const result = this.#check(fold.result)
    this.#scope = outer
    return this.#substitutions.apply(result)
  }

  #iterationTypes(fold: FoldExpr, range: CelType): readonly [CelType, CelType] {
    const [first = dynType, second = dynType] = range.parameters
    switch (range.sort) {
      case 'list':
        return fold.iterVar2 === undefined ? [first, first] : [intType, first]
      case 'map':
        return [first, second]
      case 'param':
      case 'dyn':
      case 'any':
      case 'error':
        this.#isAssignable(dynType, range)
        return [dynType, dynType]
      default:
        this.#report(
          fold.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
        return [errorType, errorType]
    }
  }

  #assert(expr: Expr, type: CelType): void {
    const actual = this.#check(expr)
    if (!this.#isAssignable(type, actual)) this.#mismatch(expr, type, actual)
  }
}

function unwrapOptional(type: CelType): CelType | undefined {
  return type.sort === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined
}
