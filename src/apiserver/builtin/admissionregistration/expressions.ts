import type { CelResultType, CelVariableType, ExpressionEngine } from '../../../schema/index.js'
import { admissionVariables, authorizerVariables } from '../../admission/cel-variables.js'
import { type FieldError, invalid } from '../field-errors.js'

/** What an expression may use, and must give. */
export interface ExpressionUse {
  readonly returns: readonly CelResultType[]
  readonly hasParams: boolean
  /** Most may ask what users may do. */
  readonly hasAuthorizer?: boolean
  /** Those of mutations may. */
  readonly makesPatches?: boolean
}

/** A named expression of a policy. */
export interface NamedExpression {
  readonly name: string
  readonly expression: string
  readonly path: string
}

/** Says what is wrong with the CEL expressions of policies and webhooks, in the server's words. */
export interface ExpressionChecker {
  check(expression: string, path: string, use: ExpressionUse): FieldError[]
  /** What is wrong with named expressions, and a checker for expressions that may use them. */
  withVariables(
    variables: readonly NamedExpression[],
    use: Pick<ExpressionUse, 'hasParams'>,
  ): { readonly errors: FieldError[]; readonly checker: ExpressionChecker }
}

/** A checker over the engine of the server. While there is no engine, nothing is wrong. */
export function createExpressionChecker(
  engineOf: () => ExpressionEngine | undefined = () => undefined,
): ExpressionChecker {
  return checkerWith(engineOf, undefined)
}

type Variables = Readonly<Record<string, CelVariableType>>

function checkerWith(
  engineOf: () => ExpressionEngine | undefined,
  named: CelVariableType | undefined,
): ExpressionChecker {
  return {
    check(expression, path, { returns, hasParams, hasAuthorizer = true, makesPatches = false }) {
      const compiled = engineOf()?.compile({
        source: expression,
        variables: variablesOf({ hasParams, hasAuthorizer, named }),
        resultTypes: returns,
        makesPatches,
      })
      return compiled !== undefined && 'problem' in compiled
        ? [invalid(path, expression, compiled.problem)]
        : []
    },
    withVariables(variables, { hasParams }) {
      const engine = engineOf()
      const errors: FieldError[] = []
      if (engine === undefined || variables.length === 0)
        return { errors, checker: checkerWith(engineOf, named) }
      const fields: Record<string, CelVariableType> = {}
      const typeOfAll = (): CelVariableType => ({ name: 'kubernetes.variables', fields: { ...fields } })
      for (const { name, expression, path } of variables) {
        const known = variablesOf({ hasParams, hasAuthorizer: true, named: typeOfAll() })
        const compiled = engine.compile({ source: expression, variables: known })
        if ('problem' in compiled) errors.push(invalid(path, expression, compiled.problem))
        fields[name] = 'problem' in compiled ? 'dyn' : { resultOf: compiled }
      }
      return { errors, checker: checkerWith(engineOf, typeOfAll()) }
    },
  }
}

interface Known {
  readonly hasParams: boolean
  readonly hasAuthorizer: boolean
  readonly named: CelVariableType | undefined
}

function variablesOf({ hasParams, hasAuthorizer, named }: Known): Variables {
  return {
    ...admissionVariables,
    ...(hasParams && { params: 'dyn' as const }),
    ...(hasAuthorizer && authorizerVariables),
    ...(named !== undefined && { variables: named }),
  }
}
