import type { CallCost, FunctionDeclaration, Implementation, Overload } from '../check/declaration.js'
import { matchesType, runtimeType } from '../value/runtime-type.js'
import { type CelValue, failure, isFailure } from '../value/value.js'
import type { Plan } from './plan.js'

const unitCost: CallCost = () => 1

/** A call of a function. With one overload the checker's choice is run, with several the arguments decide. */
export function callPlan(
  declaration: FunctionDeclaration,
  overloads: readonly Overload[],
  args: readonly Plan[],
): Plan {
  const only = overloads.length === 1 ? overloads[0] : undefined
  const run = implementationOf(declaration, only)
  const cost = only?.cost ?? declaration.cost ?? unitCost
  const strict = only?.nonStrict !== true
  const stopsEarly = strict && doesStopEarly(declaration, only, args.length)
  const evaluateArgs = args.map((arg) => arg.run)
  return {
    run: (frame) => {
      const values: CelValue[] = []
      let failed: CelValue | undefined
      for (const evaluate of evaluateArgs) {
        const value = evaluate(frame)
        values.push(value)
        if (!strict || !isFailure(value)) continue
        // The server loses sight of a call whose arguments are not all there, and does not charge it.
        if (stopsEarly && values.length < evaluateArgs.length) return value
        failed ??= value
      }
      // Charged before the work is done: a match of a huge text is refused instead of waited for.
      frame.meter.charge(cost(values))
      return failed ?? run(values, frame.meter)
    },
  }
}

/** One or two arguments are evaluated whatever happens, as on the server, unless run time has to choose the overload. */
function doesStopEarly(
  { overloads, shared, prepared }: FunctionDeclaration,
  only: Overload | undefined,
  count: number,
): boolean {
  if (count > 2 || prepared === true || only?.stopsEarly === true) return true
  return only === undefined && shared === undefined && overloads.length > 1
}

function implementationOf(declaration: FunctionDeclaration, only: Overload | undefined): Implementation {
  const { name, shared } = declaration
  if (shared !== undefined) {
    const { run, accepts } = shared
    if (accepts === undefined) return run
    return (args, meter) => {
      const [first] = args
      return first !== undefined && accepts(first) ? run(args, meter) : refused(name, first)
    }
  }
  const chosen = only?.run
  if (only !== undefined && chosen !== undefined) {
    if (declaration.unguarded === true) return chosen
    return (args, meter) => (fits(only, args) ? chosen(args, meter) : noOverload(name, args))
  }
  return (args, meter) => {
    const run = declaration.overloads.find((each) => each.run !== undefined && fits(each, args))?.run
    return run === undefined ? noOverload(name, args) : run(args, meter)
  }
}

function fits(overload: Overload, args: readonly CelValue[]): boolean {
  if (overload.parameters.length !== args.length) return false
  return overload.parameters.every((type, index) => {
    const arg = args[index]
    if (arg === undefined) return false
    return isFailure(arg) ? overload.nonStrict === true : matchesType(type, arg)
  })
}

function noOverload(name: string, args: readonly CelValue[]): CelValue {
  const types = args.map((arg) => runtimeType(arg).name).join(', ')
  return failure(`no such overload: ${name}(${types})`)
}

/** Strings, durations and timestamps are asked themselves on the server, and answer without naming the function. */
function refused(name: string, first: CelValue | undefined): CelValue {
  const asked =
    typeof first === 'string' ||
    (typeof first === 'object' && first !== null && (first.kind === 'duration' || first.kind === 'timestamp'))
  return failure(asked ? 'no such overload' : `no such overload: ${name}`)
}
