import type { CelExpression, CelInput, CelVariableType, ExpressionEngine } from '../../schema/index.js'
import { fieldsOf, listOf, textOf } from '../auth/fields.js'
import { aggregate } from '../auth/rbac.js'

/** A condition ready to be asked, or what is wrong with it. */
interface Condition {
  readonly source: string
  readonly expression: CelExpression | { readonly problem: string }
}

/** What a webhook or a policy wants to be true of a request before it looks at it. */
export type MatchConditions = readonly Condition[]

export type ConditionsVerdict =
  | { readonly kind: 'met' }
  | { readonly kind: 'unmet' }
  /** None is false, but some could not be told. */
  | { readonly kind: 'failed'; readonly message: string }

// What all conditions of one webhook or policy may cost together, in the server's units.
const budget = 2_500_000

/** Compiles conditions. One that does not compile fails when it is asked. */
export function compileConditions(
  engine: ExpressionEngine,
  conditions: unknown,
  variables: Readonly<Record<string, CelVariableType>>,
): MatchConditions {
  return listOf(conditions).map((condition) => {
    const source = textOf(fieldsOf(condition)['expression'])
    return { source, expression: engine.compile({ source, variables, resultTypes: ['bool'] }) }
  })
}

/** Whether all conditions hold. One that is false decides, whatever is wrong with the others. */
export function evaluateConditions(
  conditions: MatchConditions,
  inputs: Readonly<Record<string, CelInput>>,
): ConditionsVerdict {
  const problems: string[] = []
  let left = budget
  for (const { source, expression } of conditions) {
    if ('problem' in expression) {
      problems.push(`compilation error: ${expression.problem}`)
      continue
    }
    const outcome = expression.evaluate(inputs)
    left -= outcome.cost
    if (left < 0)
      return {
        kind: 'failed',
        message:
          'validation failed due to running out of cost budget, no further validation rules will be run',
      }
    if (outcome.kind === 'failed')
      problems.push(`expression '${source}' resulted in error: ${outcome.message}`)
    else if (outcome.value.native() === false) return { kind: 'unmet' }
  }
  return problems.length === 0 ? { kind: 'met' } : { kind: 'failed', message: aggregate(problems) }
}
