import type { CelExpression, CelInput, CelVariableType, ExpressionEngine } from '../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { fieldsOf, listOf, textOf } from '../auth/fields.js'
import { admissionVariables, authorizerVariables } from './cel-variables.js'
import { compileConditions, type MatchConditions } from './match-conditions.js'
import { type MatchCriteria, readMatchResources } from './matching.js'
import { applyConfiguration, applyOperations, PatchProblem } from './policy-patch.js'
import { compileVariables, type PolicyVariables, variableValues } from './policy-variables.js'

interface Mutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch'
  readonly source: string
  readonly expression: CelExpression | { readonly problem: string }
}

/** A MutatingAdmissionPolicy ready to be evaluated. */
export interface MutatingPolicy {
  readonly name: string
  readonly criteria: MatchCriteria
  readonly conditions: MatchConditions
  readonly variables: PolicyVariables
  readonly mutations: readonly Mutation[]
  readonly ignoresFailures: boolean
  /** Whether it is evaluated again when something changes after it. */
  readonly isReinvoked: boolean
  readonly paramKind: unknown
}

// What one mutation may cost, in the server's units.
const mutationBudget = 10_000_000

/** Compiles a policy. What does not compile fails when it is evaluated. */
export function compileMutatingPolicy(engine: ExpressionEngine, policy: StoredApiObject): MutatingPolicy {
  const spec = fieldsOf(policy['spec'])
  const { paramKind } = spec
  const known: Readonly<Record<string, CelVariableType>> = {
    ...admissionVariables,
    ...(paramKind !== undefined && paramKind !== null && { params: 'dyn' }),
    ...authorizerVariables,
  }
  const variables = compileVariables(engine, spec['variables'], known)
  const all = { ...known, variables: variables.type }
  return {
    name: policy.metadata.name ?? '',
    criteria: readMatchResources(fieldsOf(spec['matchConstraints'])),
    conditions: compileConditions(engine, spec['matchConditions'], all),
    variables,
    mutations: listOf(spec['mutations']).map((each) => compileMutation(engine, fieldsOf(each), all)),
    ignoresFailures: spec['failurePolicy'] === 'Ignore',
    isReinvoked: spec['reinvocationPolicy'] === 'IfNeeded',
    paramKind,
  }
}

function compileMutation(
  engine: ExpressionEngine,
  mutation: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, CelVariableType>>,
): Mutation {
  const isPatch = mutation['patchType'] === 'JSONPatch'
  const source = textOf(fieldsOf(mutation[isPatch ? 'jsonPatch' : 'applyConfiguration'])['expression'])
  return {
    type: isPatch ? 'JSONPatch' : 'ApplyConfiguration',
    source,
    expression: engine.compile({
      source,
      variables,
      resultTypes: [isPatch ? 'jsonPatch' : 'object'],
      makesPatches: true,
    }),
  }
}

/** What a mutation makes of an object. Throws {@link PatchProblem}. */
export function evaluateMutation(
  { type, source, expression }: Mutation,
  { object, schema, inputs, variables }: MutationTarget,
): unknown {
  if ('problem' in expression) throw new PatchProblem(expression.problem)
  const values = variableValues(variables, inputs)
  const outcome = expression.evaluate({ ...inputs, variables: values.input })
  if (outcome.cost + values.takeCost() > mutationBudget)
    throw new PatchProblem(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    )
  if (outcome.kind === 'failed')
    throw new PatchProblem(`expression '${source}' resulted in error: ${outcome.message}`)
  const misplaced = outcome.value.misplaced()
  if (misplaced.length > 0) throw new PatchProblem(`type mismatch: ${misplaced.join('\n')}`)
  const yielded = outcome.value.native()
  return type === 'JSONPatch'
    ? applyOperations(object, listOf(yielded))
    : applyConfiguration(object, yielded, schema)
}

export interface MutationTarget {
  /** In the version that the policy matches. */
  readonly object: ApiObject | StoredApiObject
  readonly schema: ApiSchema | undefined
  readonly inputs: Readonly<Record<string, CelInput>>
  readonly variables: PolicyVariables
}
