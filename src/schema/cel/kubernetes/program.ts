import { type CheckedProgram, check } from '../check/checker.js'
import type { FunctionTable } from '../check/declaration.js'
import { checkLiterals } from '../check/literals.js'
import { kubernetesFunctions, namedTypes } from '../library/functions.js'
import { createPatterns, type Patterns, patternCompiler } from '../library/regex.js'
import { CostLimitExceeded, EvaluationAborted, Meter } from '../plan/meter.js'
import { PlanError, plan } from '../plan/planner.js'
import { parse } from '../syntax/parser.js'
import { CelSyntaxError } from '../syntax/source.js'
import { type CelType, optionalTypeOf } from '../value/type.js'
import { type CelValue, failure } from '../value/value.js'

/** What programs of one engine share. */
export interface CelEnvironment {
  readonly functions: FunctionTable
  readonly typeNames: ReadonlyMap<string, CelType>
  readonly patterns: Patterns
}

/** The environment that a 1.36 server gives to the rules of CRDs. */
export function createEnvironment(): CelEnvironment {
  const patterns = createPatterns()
  return { functions: kubernetesFunctions(patterns), typeNames: namedTypes(), patterns }
}

/** Thrown for a program that does not compile; the message is what the server says about it. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
}

/** What came out of a run. `exceeded`: it was stopped at the cost of one call. */
type RunResult =
  | { readonly kind: 'value'; readonly value: CelValue; readonly cost: number }
  | { readonly kind: 'exceeded'; readonly cost: number }

/** A program over `self` and `oldSelf`. */
export interface SelfProgram {
  readonly usesOldSelf: boolean
  run(self: CelValue, oldSelf: CelValue | undefined): RunResult
}

interface ProgramOptions {
  readonly source: string
  readonly selfType: CelType
  readonly optionalOldSelf: boolean
  readonly resultType: CelType
  /** What to say when the program yields something else. */
  readonly wrongResult: string
  /** What the server puts before the compiler's words. */
  readonly prefix: string
}

// What one call may cost, in the server's units.
const callLimit = 1_000_000
const variables = ['self', 'oldSelf']

/** Compiles a program. Throws {@link ProgramError}. */
export function compileProgram(environment: CelEnvironment, options: ProgramOptions): SelfProgram {
  return checkProgram(environment, options).program
}

/** As {@link compileProgram}, with the typed tree that costs are estimated on. */
export function checkProgram(
  environment: CelEnvironment,
  options: ProgramOptions,
): { readonly program: SelfProgram; readonly checked: CheckedProgram } {
  const { source, selfType, prefix } = options
  const oldSelfType = options.optionalOldSelf ? optionalTypeOf(selfType) : selfType
  try {
    const checked = check(source, parse(source), {
      functions: environment.functions,
      typeNames: environment.typeNames,
      variables: new Map([
        ['self', selfType],
        ['oldSelf', oldSelfType],
      ]),
    })
    checkLiterals(source, checked, environment.patterns)
    const result = checked.types.get(checked.expr)
    if (result?.sort !== options.resultType.sort) throw new ProgramError(options.wrongResult)
    const planned = plan(checked, variables, patternCompiler(environment.patterns))
    const program: SelfProgram = {
      usesOldSelf: planned.uses('oldSelf'),
      run: (self, oldSelf) => runPlan(planned.run, planned.slotCount, [self, oldSelf]),
    }
    return { program, checked }
  } catch (error) {
    if (error instanceof CelSyntaxError)
      throw new ProgramError(`${prefix}compilation failed: ${error.message}`, { cause: error })
    if (error instanceof PlanError || error instanceof EvaluationAborted)
      throw new ProgramError(
        `${prefix === '' ? 'program' : prefix.trim()} instantiation failed: ${error.message}`,
        {
          cause: error,
        },
      )
    throw error
  }
}

/** Runs a plan with its variables in their slots, at most as long as one call may take. */
export function runPlan(
  evaluate: ReturnType<typeof plan>['run'],
  slotCount: number,
  values: readonly (CelValue | undefined)[],
): RunResult {
  const meter = new Meter(callLimit)
  const slots = Array.from({ length: slotCount }, (_, index) => values[index])
  try {
    return { kind: 'value', value: evaluate({ meter, slots, pending: [] }), cost: meter.cost }
  } catch (error) {
    // A RangeError is JavaScript's way to say the same: the stack, a text or a number has outgrown its limit.
    if (error instanceof CostLimitExceeded || error instanceof RangeError)
      return { kind: 'exceeded', cost: meter.cost }
    if (error instanceof EvaluationAborted)
      return { kind: 'value', value: failure(error.message), cost: meter.cost }
    throw error
  }
}
