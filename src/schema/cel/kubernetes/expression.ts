import { check } from '../check/checker.js'
import { functionTable } from '../check/declaration.js'
import { checkLiterals } from '../check/literals.js'
import type {
  CelExpression,
  CelInput,
  CelVariableType,
  ExpressionEngine,
  ExpressionOptions,
} from '../expression.js'
import {
  authorization,
  authorizerType,
  authorizerValue,
  resourceCheckType,
  resourceCheckValue,
} from '../library/authorizer.js'
import { patternCompiler } from '../library/regex.js'
import { EvaluationAborted } from '../plan/meter.js'
import { PlanError, plan } from '../plan/planner.js'
import { parse } from '../syntax/parser.js'
import { CelSyntaxError } from '../syntax/source.js'
import { createMap } from '../value/map.js'
import { fromNative, toNative } from '../value/native.js'
import { misplacedStructs } from '../value/struct.js'
import {
  boolType,
  type CelType,
  dynType,
  formatType,
  intType,
  isSameType,
  listTypeOf,
  mapTypeOf,
  nullType,
  stringType,
  structType,
  timestampType,
} from '../value/type.js'
import { type CelValue, failure, isFailure } from '../value/value.js'
import { appliedObjectType, jsonPatchListType, patchFunctions, patchStruct } from './patch-types.js'
import { type CelEnvironment, createEnvironment, ProgramError, runPlan } from './program.js'

const simpleTypes = {
  dyn: dynType,
  bool: boolType,
  int: intType,
  null: nullType,
  string: stringType,
  timestamp: timestampType,
  authorizer: authorizerType,
  resourceCheck: resourceCheckType,
} as const

const resultTypes = { ...simpleTypes, object: appliedObjectType, jsonPatch: jsonPatchListType } as const

/** Makes the engine. Its programs share compiled patterns. */
export function createExpressionEngine(): ExpressionEngine {
  const environment = createEnvironment()
  const functions = functionTable([...environment.functions.values(), ...authorization])
  const withPatches = functionTable([...functions.values(), ...patchFunctions])
  const typesOf = new WeakMap<CelExpression, CelType>()

  const typeOf = (type: CelVariableType): CelType => {
    if (typeof type === 'string') return simpleTypes[type]
    if ('list' in type) return listTypeOf(typeOf(type.list))
    if ('map' in type) return mapTypeOf(stringType, typeOf(type.map))
    if ('resultOf' in type) return typesOf.get(type.resultOf) ?? dynType
    const fields = Object.entries(type.fields).map(([name, each]) => [name, typeOf(each)] as const)
    return structType(type.name, new Map(fields))
  }

  return {
    compile(options) {
      const types = new Map(Object.entries(options.variables).map(([name, type]) => [name, typeOf(type)]))
      try {
        const known =
          options.makesPatches === true ? { functions: withPatches, structOf: patchStruct } : { functions }
        const { expression, type } = compile(options, types, { ...environment, ...known })
        typesOf.set(expression, type)
        return expression
      } catch (error) {
        if (error instanceof CelSyntaxError) return { problem: `compilation failed: ${error.message}` }
        if (error instanceof PlanError || error instanceof EvaluationAborted)
          return { problem: `program instantiation failed: ${error.message}` }
        if (error instanceof ProgramError) return { problem: error.message }
        throw error
      }
    },
  }
}

function compile(
  { source, resultTypes }: ExpressionOptions,
  types: ReadonlyMap<string, CelType>,
  environment: CelEnvironment & Pick<Parameters<typeof check>[2], 'functions' | 'structOf'>,
): { readonly expression: CelExpression; readonly type: CelType } {
  const names = [...types.keys()]
  const { functions, typeNames, patterns, structOf } = environment
  const checked = check(source, parse(source), {
    functions,
    typeNames,
    variables: types,
    ...(structOf !== undefined && { structOf }),
  })
  checkLiterals(source, checked, patterns)
  const type = checked.types.get(checked.expr) ?? dynType
  checkResult(type, resultTypes)
  const planned = plan(checked, names, patternCompiler(patterns))
  const expression: CelExpression = {
    source,
    uses: (name) => planned.uses(name),
    evaluate(inputs) {
      const values = names.map((name) => {
        const input = inputs[name]
        return input === undefined ? undefined : valueOf(input)
      })
      const result = runPlan(planned.run, planned.slotCount, values)
      const { cost } = result
      if (result.kind === 'exceeded')
        return { kind: 'failed', message: 'operation cancelled: actual cost limit exceeded', cost }
      if (isFailure(result.value)) return { kind: 'failed', message: result.value.message, cost }
      const { value } = result
      const yielded = { native: () => toNative(value), misplaced: () => misplacedStructs(value), value }
      return { kind: 'value', value: yielded, cost }
    },
  }
  return { expression, type }
}

function checkResult(type: CelType, wanted: ExpressionOptions['resultTypes']): void {
  if (wanted === undefined) return
  const accepted = wanted.map((each) => resultTypes[each])
  if (accepted.some((each) => isSameType(type, each))) return
  // The two places of the server that show a type call null differently.
  const names = accepted.map((each) => (each.sort === 'list' ? formatType(each) : each.name))
  throw new ProgramError(
    names.length === 1
      ? `must evaluate to ${names[0]} but got ${formatType(type)}`
      : `must evaluate to one of [${names.join(' ')}] but got ${formatType(type)}`,
  )
}

function valueOf(input: CelInput): CelValue {
  if ('data' in input) return fromNative(input.data)
  if ('authorizer' in input) return authorizerValue(input.authorizer)
  if ('requestResource' in input) return resourceCheckValue(input.check, input.requestResource)
  const { fields } = input
  return createMap({
    size: fields.size,
    keys: () => fields.keys(),
    find(key) {
      const outcome = typeof key === 'string' ? fields.get(key)?.() : undefined
      if (outcome === undefined) return undefined
      return outcome.kind === 'failed' ? failure(outcome.message) : outcome.value.value
    },
  })
}
