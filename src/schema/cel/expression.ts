import type { AuthorizationCheck, AuthorizationCheckQuestion } from './library/authorizer.js'
import type { CelValue } from './value/value.js'

/** What a program is told about a variable: checked where something is known, at run time only where it is `dyn`. */
export type CelVariableType =
  | 'dyn'
  | 'bool'
  | 'int'
  | 'null'
  | 'string'
  | 'timestamp'
  | 'authorizer'
  | 'resourceCheck'
  | { readonly list: CelVariableType }
  /** With texts as keys. */
  | { readonly map: CelVariableType }
  /** An object with these fields and no others. */
  | { readonly name: string; readonly fields: Readonly<Record<string, CelVariableType>> }
  /** What another program yields. */
  | { readonly resultOf: CelExpression }

/** What a program can be asked to yield. `object` and `jsonPatch` are what programs that make patches yield. */
export type CelResultType = 'bool' | 'string' | 'null' | 'object' | 'jsonPatch'

/** A program to be compiled. */
export interface ExpressionOptions {
  readonly source: string
  /** By name. A name may have dots: `authorizer.requestResource`. */
  readonly variables: Readonly<Record<string, CelVariableType>>
  /** What it must yield, exactly; anything, if absent. */
  readonly resultTypes?: readonly CelResultType[]
  /** Whether it may make objects and operations: `Object.spec{replicas: 1}`, `JSONPatch{op: 'remove', path: '/x'}`. */
  readonly makesPatches?: boolean
}

/** The value of a variable. */
export type CelInput =
  /** JSON. Undefined and null are null. */
  | { readonly data: unknown }
  /** An object whose fields are computed when they are looked at. The caller remembers them. */
  | { readonly fields: ReadonlyMap<string, () => CelOutcome> }
  | { readonly authorizer: AuthorizationCheck }
  | {
      readonly check: AuthorizationCheck
      readonly requestResource: Pick<
        AuthorizationCheckQuestion,
        'group' | 'resource' | 'subresource' | 'namespace' | 'name'
      >
    }

/** A value that a program has yielded. */
export interface CelResult {
  /** As JSON. Undefined for what JSON cannot say: a type, an optional without a value, a value of a library. */
  native(): unknown
  /** Objects in it that are of another type than their places want. */
  misplaced(): readonly string[]
  /** For the engine, when the value goes into another program. */
  readonly value: CelValue
}

/** What came out of a run, and what it cost. */
export type CelOutcome =
  | { readonly kind: 'value'; readonly value: CelResult; readonly cost: number }
  | { readonly kind: 'failed'; readonly message: string; readonly cost: number }

/** A compiled program. */
export interface CelExpression {
  readonly source: string
  /** Whether the program names this variable anywhere. */
  uses(variable: string): boolean
  /**
   * Runs it. A variable that is missing among the inputs is unknown to the run. Never throws for what is in them, and
   * stops at the server's limit for one call.
   */
  evaluate(inputs: Readonly<Record<string, CelInput>>): CelOutcome
}

/** Compiles programs over any variables: what admission policies and match conditions are made of. */
export interface ExpressionEngine {
  /** The program, or what is wrong with it in the server's words. */
  compile(options: ExpressionOptions): CelExpression | { readonly problem: string }
}

/** Loads the engine for programs over any variables, with the functions of a 1.36 server's admission policies. */
export async function loadExpressionEngine(): Promise<ExpressionEngine> {
  const { createExpressionEngine } = await import('./kubernetes/expression.js')
  return createExpressionEngine()
}
