import {
  type CelVariableType,
  type ExpressionEngine,
  type FieldError,
  quoteText,
} from '../../schema/index.js'
import type { ApiObject } from '../api-object.js'
import { type Fields, fieldsOf, listOf, textOf } from '../auth/fields.js'
import { invalid } from '../failure.js'
import type { AdmissionPlugin } from './admission.js'
import { admissionVariables, authorizerVariables } from './cel-variables.js'
import { compileVariables } from './policy-variables.js'
import type { LoadEngine } from './webhook-configuration.js'

const group = 'admissionregistration.k8s.io'

/** Where the expressions of a kind are, and what is wrong with them. */
type Check = (object: ApiObject, engine: ExpressionEngine) => readonly FieldError[]

const checks: Readonly<Record<string, Check>> = {
  ValidatingAdmissionPolicy: (object, engine) => policyProblems(fieldsOf(object['spec']), engine),
  ValidatingWebhookConfiguration: webhookProblems,
  MutatingWebhookConfiguration: webhookProblems,
}

/**
 * Refuses policies and webhooks whose expressions do not compile. The server does that together with all other
 * validation; here the engine, which only those need who have expressions, is loaded first, and that takes a moment.
 */
export function createPolicyExpressions(loadEngine: LoadEngine): AdmissionPlugin {
  return {
    name: 'PolicyExpressions',
    handles: ({ info, kind, operation }) =>
      info.group === group &&
      info.subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      Object.hasOwn(checks, kind.kind),
    async validate({ object, kind, name }) {
      const check = checks[kind.kind]
      if (object === undefined || check === undefined || !hasExpressions(object)) return
      const errors = check(object, await loadEngine())
      if (errors.length === 0) return
      throw invalid({ group, resource: kind.kind }, name === '' ? (object.metadata.name ?? '') : name, errors)
    },
  }
}

function hasExpressions(object: ApiObject): boolean {
  return (
    object['spec'] !== undefined ||
    listOf(object['webhooks']).some((webhook) => listOf(fieldsOf(webhook)['matchConditions']).length > 0)
  )
}

interface Part {
  readonly field: string
  readonly source: string
  readonly variables: Readonly<Record<string, CelVariableType>>
  readonly resultTypes?: readonly ('bool' | 'string' | 'null')[]
}

/** What is wrong with an expression. That it is missing, others say. */
function problemOf({ field, source, ...options }: Part, engine: ExpressionEngine): readonly FieldError[] {
  if (source.trim() === '') return []
  const compiled = engine.compile({ source, ...options })
  if (!('problem' in compiled)) return []
  return [
    {
      reason: 'FieldValueInvalid',
      field,
      message: `Invalid value: ${quoteText(source)}: ${compiled.problem}`,
    },
  ]
}

function conditionParts(conditions: unknown, path: string, variables: Part['variables']): readonly Part[] {
  return listOf(conditions).map((condition, index) => ({
    field: `${path}.matchConditions[${index}].expression`,
    source: textOf(fieldsOf(condition)['expression']),
    variables,
    resultTypes: ['bool'],
  }))
}

function webhookProblems(object: ApiObject, engine: ExpressionEngine): readonly FieldError[] {
  const variables = { ...admissionVariables, ...authorizerVariables }
  return listOf(object['webhooks'])
    .flatMap((webhook, index) =>
      conditionParts(fieldsOf(webhook)['matchConditions'], `webhooks[${index}]`, variables),
    )
    .flatMap((part) => problemOf(part, engine))
}

function policyProblems(spec: Fields, engine: ExpressionEngine): readonly FieldError[] {
  const hasParams = spec['paramKind'] !== undefined
  const base: Part['variables'] = { ...admissionVariables, ...(hasParams && { params: 'dyn' }) }
  const full = { ...base, ...authorizerVariables }
  const { type, expressions } = compileVariables(engine, spec['variables'], full)
  const variableProblems = [...expressions.values()].flatMap((expression, index): readonly FieldError[] => {
    if (!('problem' in expression)) return []
    const source = textOf(fieldsOf(listOf(spec['variables'])[index])['expression'])
    const message = `Invalid value: ${quoteText(source)}: ${expression.problem}`
    return [{ reason: 'FieldValueInvalid', field: `spec.variables[${index}].expression`, message }]
  })
  const variables = { ...full, variables: type }
  const parts: Part[] = [...conditionParts(spec['matchConditions'], 'spec', variables)]
  for (const [index, validation] of listOf(spec['validations']).map(fieldsOf).entries()) {
    const path = `spec.validations[${index}]`
    parts.push(
      {
        field: `${path}.expression`,
        source: textOf(validation['expression']),
        variables,
        resultTypes: ['bool'],
      },
      {
        field: `${path}.messageExpression`,
        source: textOf(validation['messageExpression']),
        variables: { ...base, variables: type },
        resultTypes: ['string'],
      },
    )
  }
  for (const [index, annotation] of listOf(spec['auditAnnotations']).map(fieldsOf).entries())
    parts.push({
      field: `spec.auditAnnotations[${index}].valueExpression`,
      source: textOf(annotation['valueExpression']),
      variables,
      resultTypes: ['string', 'null'],
    })
  return [...variableProblems, ...parts.flatMap((part) => problemOf(part, engine))]
}
