import { assertNever } from '../../../base/index.js'
import type { CheckedProgram, Reference } from '../check/checker.js'
import type { FunctionDeclaration, Implementation } from '../check/declaration.js'
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr, StructExpr } from '../syntax/ast.js'
import { type CelValue, isFailure, noSuchOverload, ofKind } from '../value/value.js'
import { conditionalAttribute, valueAttribute, variableAttribute } from './attribute.js'
import { callPlan } from './call.js'
import { foldOver } from './fold.js'
import { listPlan, mapPlan, structPlan } from './literals.js'
import { Meter } from './meter.js'
import { equalityPlan, logicPlan, membershipPlan, orPlan } from './operators.js'
import { type Attribute, attributePlan, constantPlan, type Evaluate, type Plan } from './plan.js'
import { computedQualifier, constantQualifier, presenceQualifier } from './qualifier.js'

/** Thrown when a checked program cannot be made to run: `int('x')` is known to fail before any run. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}

/** A program ready to run, and how many slots its variables need. */
interface PlannedProgram {
  readonly run: Evaluate
  readonly slotCount: number
  /** Whether the program mentions the variable. */
  uses(variable: string): boolean
}

// `optMap` plans its target twice; a chain of them doubles with every link. The server would not return.
const mostPlans = 200_000
const conversions = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
])

/**
 * Compiles the constant pattern of a call of that name; `undefined` for functions without patterns. Throws
 * {@link PlanError} for a pattern that is none.
 */
export type CompilePattern = (
  name: string,
  pattern: string,
) => ((text: string, rest: readonly CelValue[]) => CelValue) | undefined

/** Turns a checked program into closures. Throws {@link PlanError}. */
export function plan(
  program: CheckedProgram,
  variables: readonly string[],
  compilePattern: CompilePattern,
): PlannedProgram {
  const planner = new Planner(program, variables, compilePattern)
  const { run } = planner.plan(program.expr)
  return { run, slotCount: planner.slotCount, uses: (name) => planner.used.has(name) }
}

class Planner {
  readonly used = new Set<string>()
  readonly #program: CheckedProgram
  readonly #compilePattern: CompilePattern
  readonly #scopes: Map<string, number>[]
  slotCount: number
  #plans = 0

  constructor(program: CheckedProgram, variables: readonly string[], compilePattern: CompilePattern) {
    this.#program = program
    this.#compilePattern = compilePattern
    this.#scopes = [new Map(variables.map((name, slot) => [name, slot]))]
    this.slotCount = variables.length
  }

  plan(expr: Expr): Plan {
    if (++this.#plans > mostPlans) throw new PlanError('the expression expands to too many operations')
    const reference = this.#program.references.get(expr)
    if (reference?.kind === 'type') {
      // `duration` and `timestamp` pass the checker, but are no names of types.
      if (reference.name !== reference.type.name)
        throw new PlanError(`reference to undefined type: ${reference.name}`)
      return constantPlan(reference.type)
    }
    switch (expr.node) {
      case 'literal':
        return constantPlan(expr.value)
      case 'ident':
        return this.#variable(expr.name)
      case 'select':
        return reference?.kind === 'variable' ? this.#variable(reference.name) : this.#select(expr)
      case 'call':
        return this.#call(expr, reference)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'fold':
        return this.#fold(expr)
      case 'struct':
        return this.#struct(expr)
      default:
        return assertNever(expr)
    }
  }

  #variable(name: string): Plan {
    const scope = this.#scopes.findLast((names) => names.has(name))
    // By name alone, as on the server: a loop variable called `oldSelf` makes a transition rule too.
    this.used.add(name)
    return attributePlan(variableAttribute(name, scope?.get(name) ?? -1))
  }

  #slot(): number {
    return this.slotCount++
  }

  #attributeOf(operand: Plan): Attribute {
    return operand.attribute ?? valueAttribute(operand.run)
  }

  #select(select: SelectExpr): Plan {
    const attribute = this.#attributeOf(this.plan(select.operand))
    if (!select.testOnly) {
      attribute.add(constantQualifier(select.field, false))
      return attributePlan(attribute)
    }
    attribute.add(presenceQualifier(select.field))
    return {
      run: (frame) => {
        const present = attribute.resolve(frame)
        const optional = ofKind(present, 'optional')
        return optional === undefined ? present : optional.value !== undefined
      },
      // A branch of a condition is the bare path: there `has(a.?b.c)` is an optional, as on the server.
      attribute,
    }
  }

  #call(call: CallExpr, reference: Reference | undefined): Plan {
    const args = call.args.map((arg) => this.plan(arg))
    const [first, second, third] = args
    if (first !== undefined && second !== undefined) {
      switch (call.name) {
        case '_&&_':
          return logicPlan(args, false)
        case '_||_':
          return logicPlan(args, true)
        case '_==_':
        case '_!=_':
          return equalityPlan(call.name === '_!=_', first, second)
        case '_[_]':
          return this.#index(first, second, false)
        case '_?._':
        case '_[?_]':
          return this.#index(first, second, true)
        case '_?_:_':
          if (third !== undefined) return this.#conditional(first, second, third)
          break
        default:
          break
      }
    }
    if (reference?.kind !== 'function') throw new PlanError(`no such overload: ${call.name}`)
    if (call.target !== undefined && !reference.qualified) args.unshift(this.plan(call.target))
    return this.#function(reference, args)
  }

  #function(reference: Extract<Reference, { kind: 'function' }>, args: readonly Plan[]): Plan {
    const { declaration, overloads } = reference
    const [first, second] = args
    if (first !== undefined && second !== undefined) {
      if (declaration.name === 'or' || declaration.name === 'orValue')
        return orPlan(declaration.name, first, second)
      if (declaration.name === '@in' && overloads.length === 1 && overloads[0]?.id === 'in_list') {
        const list = second.constant === undefined ? undefined : ofKind(second.constant.value, 'list')
        const member = list === undefined ? undefined : membershipPlan(first, list)
        if (member !== undefined) return member
      }
      const pattern = second.constant?.value
      const prepared = typeof pattern === 'string' ? this.#withPattern(declaration, pattern) : undefined
      if (prepared !== undefined) return callPlan(prepared, overloads, args)
    }
    const planned = callPlan(declaration, overloads, args)
    if (args.length !== 1 || first?.constant === undefined || !conversions.has(declaration.name))
      return planned
    // A conversion of a constant is done once; one that fails is refused together with the program.
    const value = planned.run({ meter: new Meter(Number.POSITIVE_INFINITY), slots: [], pending: [] })
    if (isFailure(value)) throw new PlanError(value.message)
    return constantPlan(value)
  }

  #withPattern(declaration: FunctionDeclaration, pattern: string): FunctionDeclaration | undefined {
    const match = this.#compilePattern(declaration.name, pattern)
    if (match === undefined) return undefined
    const run: Implementation = ([text, , ...rest]) =>
      typeof text === 'string' ? match(text, rest) : noSuchOverload()
    return { ...declaration, shared: { run }, prepared: true }
  }

  #conditional(condition: Plan, yes: Plan, no: Plan): Plan {
    return attributePlan(conditionalAttribute(condition.run, this.#attributeOf(yes), this.#attributeOf(no)))
  }

  #index(operand: Plan, index: Plan, optional: boolean): Plan {
    const attribute = this.#attributeOf(operand)
    const { attribute: path, constant } = index
    attribute.add(
      constant === undefined
        ? computedQualifier(path === undefined ? index.run : (frame) => path.resolve(frame), optional)
        : constantQualifier(constant.value, optional),
    )
    return attributePlan(attribute)
  }

  #list(list: ListExpr): Plan {
    return listPlan(
      list.elements.map((element) => this.plan(element)),
      list.optional,
    )
  }

  #map(map: MapExpr): Plan {
    return mapPlan(
      map.entries.map(({ key, value, optional }) => ({
        key: this.plan(key),
        value: this.plan(value),
        optional,
      })),
    )
  }

  #struct(struct: StructExpr): Plan {
    const type = this.#program.types.get(struct)
    if (type === undefined) throw new PlanError(`unknown type: ${struct.typeName}`)
    const fields = struct.fields.map(({ name, value, optional }) => ({
      name,
      value: this.plan(value),
      optional,
    }))
    return structPlan(type, fields)
  }

  #fold(fold: FoldExpr): Plan {
    const accuInit = this.plan(fold.accuInit).run
    const range = this.plan(fold.range).run
    const accuSlot = this.#slot()
    this.#scopes.push(new Map([[fold.accuVar, accuSlot]]))
    const iterSlot = this.#slot()
    const iterSlot2 = fold.iterVar2 === undefined ? -1 : this.#slot()
    const names = new Map([[fold.iterVar, iterSlot]])
    if (fold.iterVar2 !== undefined) names.set(fold.iterVar2, iterSlot2)
    this.#scopes.push(names)
    const condition = this.plan(fold.condition).run
    const step = this.plan(fold.step).run
    this.#scopes.pop()
    const result = this.plan(fold.result).run
    this.#scopes.pop()
    return { run: foldOver({ range, accuInit, condition, step, result, iterSlot, iterSlot2, accuSlot }) }
  }
}
