import type { Meter } from '../plan/meter.js'
import type { CelType } from '../value/type.js'
import type { CelValue } from '../value/value.js'

/** What a function does. Arguments that failed never get here, unless the overload is `nonStrict`. */
export type Implementation = (args: readonly CelValue[], meter: Meter) => CelValue

/** What a call costs by its arguments, before it runs: an expensive call is stopped rather than paid for. */
export type CallCost = (args: readonly CelValue[]) => number

/** One signature of a function. */
export interface Overload {
  readonly id: string
  /** Called as `target.name(...)`; the target is the first parameter. */
  readonly member?: boolean
  readonly parameters: readonly CelType[]
  readonly result: CelType
  readonly run?: Implementation
  readonly nonStrict?: boolean
  readonly cost?: CallCost
  /** Arguments after one that failed are not evaluated. */
  readonly stopsEarly?: boolean
}

/** A function or operator with all its signatures. */
export interface FunctionDeclaration {
  readonly name: string
  readonly overloads: readonly Overload[]
  /** One implementation for all signatures. It does not run unless `accepts` holds for the first argument. */
  readonly shared?: {
    readonly run: Implementation
    readonly accepts?: (first: CelValue) => boolean
  }
  /** The cost of overloads that name none of their own; 1 if absent. */
  readonly cost?: CallCost
  /** Its constant pattern was compiled with the program. */
  readonly prepared?: boolean
  /** Run-time types are checked against the signature unless the function does that itself. */
  readonly unguarded?: boolean
}

/** A type that programs may make: `Name{field: value}`. */
export interface StructDeclaration {
  readonly type: CelType
  /** Undefined for a field that it does not have. */
  field(name: string): CelType | undefined
}

/** All functions that a program may call, by name. */
export type FunctionTable = ReadonlyMap<string, FunctionDeclaration>

/** Declarations by name. Two of one name become one with the overloads of both. */
export function functionTable(declarations: Iterable<FunctionDeclaration>): FunctionTable {
  const table = new Map<string, FunctionDeclaration>()
  for (const declaration of declarations) {
    const known = table.get(declaration.name)
    if (known === undefined) table.set(declaration.name, declaration)
    else
      table.set(declaration.name, {
        ...known,
        ...declaration,
        overloads: [...known.overloads, ...declaration.overloads],
      })
  }
  return table
}
