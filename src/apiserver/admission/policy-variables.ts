import type {
  CelExpression,
  CelInput,
  CelOutcome,
  CelVariableType,
  ExpressionEngine,
} from '../../schema/index.js'
import { fieldsOf, listOf, textOf } from '../auth/fields.js'

type Compiled = CelExpression | { readonly problem: string }

/** The named expressions of a policy. Each may use those before it. */
export interface PolicyVariables {
  /** The type of `variables`. */
  readonly type: CelVariableType
  readonly expressions: ReadonlyMap<string, Compiled>
}

/** Compiles the variables of a policy in their order. */
export function compileVariables(
  engine: ExpressionEngine,
  variables: unknown,
  known: Readonly<Record<string, CelVariableType>>,
): PolicyVariables {
  const expressions = new Map<string, Compiled>()
  const fields: Record<string, CelVariableType> = {}
  const typeSoFar = (): CelVariableType => ({ name: 'kubernetes.variables', fields: { ...fields } })
  for (const variable of listOf(variables)) {
    const name = textOf(fieldsOf(variable)['name'])
    const source = textOf(fieldsOf(variable)['expression'])
    const expression = engine.compile({ source, variables: { ...known, variables: typeSoFar() } })
    expressions.set(name, expression)
    fields[name] = 'problem' in expression ? 'dyn' : { resultOf: expression }
  }
  return { type: typeSoFar(), expressions }
}

/** The variables of one evaluation: each is computed when it is first used and then remembered. */
export interface VariableValues {
  readonly input: CelInput
  /** What was spent on them since the last call. */
  takeCost(): number
}

/** Prepares the values of variables over these inputs. */
export function variableValues(
  { expressions }: PolicyVariables,
  inputs: Readonly<Record<string, CelInput>>,
): VariableValues {
  let spent = 0
  const fields = new Map<string, () => CelOutcome>()
  const input: CelInput = { fields }
  for (const [name, expression] of expressions) {
    let outcome: CelOutcome | undefined
    fields.set(name, () => {
      if (outcome !== undefined) return outcome
      outcome =
        'problem' in expression
          ? {
              kind: 'failed',
              message: `composited variable "${name}" fails to compile: ${expression.problem}`,
              cost: 0,
            }
          : expression.evaluate({ ...inputs, variables: input })
      spent += outcome.cost
      if (outcome.kind === 'failed')
        outcome = {
          ...outcome,
          message: `composited variable "${name}" fails to evaluate: ${outcome.message}`,
        }
      return outcome
    })
  }
  return {
    input,
    takeCost() {
      const cost = spent
      spent = 0
      return cost
    },
  }
}
