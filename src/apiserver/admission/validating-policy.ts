import type { CelExpression, CelInput, CelVariableType, ExpressionEngine } from '../../schema/index.js'
import type { StoredApiObject } from '../api-object.js'
import { type Fields, fieldsOf, listOf, textOf } from '../auth/fields.js'
import { admissionVariables, authorizerVariables } from './cel-variables.js'
import { compileConditions, evaluateConditions, type MatchConditions } from './match-conditions.js'
import { type MatchCriteria, readMatchResources } from './matching.js'
import { compileVariables, type PolicyVariables, variableValues } from './policy-variables.js'

type Compiled = CelExpression | { readonly problem: string }

interface Validation {
  readonly source: string
  readonly expression: Compiled
  readonly messageExpression: Compiled | undefined
  readonly message: string
  readonly reason: string
}

interface Annotation {
  readonly key: string
  readonly source: string
  readonly expression: Compiled
}

/** A ValidatingAdmissionPolicy ready to be evaluated. */
export interface ValidatingPolicy {
  readonly name: string
  readonly criteria: MatchCriteria
  readonly conditions: MatchConditions
  readonly variables: PolicyVariables
  readonly validations: readonly Validation[]
  readonly annotations: readonly Annotation[]
  readonly ignoresFailures: boolean
  readonly paramKind: unknown
}

/** What a policy has against a request. An empty reason is that of something that went wrong. */
export interface PolicyFinding {
  readonly index: number
  readonly message: string
  readonly reason: string
}

/** What came out of one evaluation of a policy. */
export interface PolicyResult {
  readonly findings: readonly PolicyFinding[]
  /** Notes for the audit log, by key. */
  readonly annotations: readonly (readonly [key: string, value: string])[]
  /** Annotations that went wrong: they refuse the request, whatever the binding says. */
  readonly annotationProblems: readonly string[]
}

// What the validations of one policy may cost together, in the server's units.
const policyBudget = 10_000_000
const longestMessage = 5 * 1024
const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** Compiles a policy. What does not compile fails when it is evaluated. */
export function compilePolicy(engine: ExpressionEngine, policy: StoredApiObject): ValidatingPolicy {
  const spec = fieldsOf(policy['spec'])
  const { paramKind } = spec
  const hasParams = paramKind !== undefined && paramKind !== null
  const base: Readonly<Record<string, CelVariableType>> = {
    ...admissionVariables,
    ...(hasParams && { params: 'dyn' }),
  }
  const all = { ...base, ...authorizerVariables }
  const variables = compileVariables(engine, spec['variables'], all)
  const composed = { ...all, variables: variables.type }
  const compile = (
    source: string,
    types: Readonly<Record<string, CelVariableType>>,
    resultTypes: readonly ('bool' | 'string' | 'null')[],
  ): Compiled => engine.compile({ source, variables: types, resultTypes })
  return {
    name: policy.metadata.name ?? '',
    criteria: readMatchResources(fieldsOf(spec['matchConstraints'])),
    conditions: compileConditions(engine, spec['matchConditions'], composed),
    variables,
    validations: listOf(spec['validations'])
      .map(fieldsOf)
      .map((validation) => {
        const source = textOf(validation['expression'])
        const message = textOf(validation['messageExpression'])
        return {
          source,
          expression: compile(source, composed, ['bool']),
          messageExpression:
            message === '' ? undefined : compile(message, { ...base, variables: variables.type }, ['string']),
          message: textOf(validation['message']).trim(),
          reason: textOf(validation['reason']),
        }
      }),
    annotations: listOf(spec['auditAnnotations'])
      .map(fieldsOf)
      .map((annotation: Fields) => {
        const source = textOf(annotation['valueExpression'])
        return {
          key: textOf(annotation['key']),
          source,
          expression: compile(source, composed, ['string', 'null']),
        }
      }),
    ignoresFailures: spec['failurePolicy'] === 'Ignore',
    paramKind,
  }
}

/**
 * Evaluates a policy. `authorizer` are the inputs of the variables that only some expressions may use. Undefined when the
 * conditions of the policy are not met.
 */
export function evaluatePolicy(
  policy: ValidatingPolicy,
  inputs: Readonly<Record<string, CelInput>>,
  authorizer: Readonly<Record<string, CelInput>>,
): PolicyResult {
  const nothing: PolicyResult = { findings: [], annotations: [], annotationProblems: [] }
  const failed = (message: string): PolicyResult =>
    policy.ignoresFailures ? nothing : { ...nothing, findings: [{ index: 0, message, reason: '' }] }
  const full = { ...inputs, ...authorizer }
  if (policy.conditions.length > 0) {
    const { input } = variableValues(policy.variables, full)
    const verdict = evaluateConditions(policy.conditions, { ...full, variables: input })
    if (verdict.kind === 'unmet') return nothing
    if (verdict.kind === 'failed') return failed(verdict.message)
  }
  const run = createRun(policy, full, policyBudget)
  const verdicts: Outcome[] = []
  for (const { expression, source } of policy.validations) {
    const outcome = run.evaluate(expression, source)
    if (outcome === undefined) return failed(outOfBudget)
    verdicts.push(outcome)
  }
  const findings = judge(policy, verdicts, createRun(policy, inputs, run.left()))
  const annotations = annotate(policy, createRun(policy, full, policyBudget))
  return annotations === undefined ? failed(outOfBudget) : { findings, ...annotations }
}

type Outcome = { readonly value: unknown } | { readonly problem: string }

interface Run {
  /** Undefined when the budget is spent. */
  evaluate(expression: Compiled, source: string): Outcome | undefined
  left(): number
}

function createRun(
  policy: ValidatingPolicy,
  inputs: Readonly<Record<string, CelInput>>,
  budget: number,
): Run {
  const values = variableValues(policy.variables, inputs)
  const all = { ...inputs, variables: values.input }
  let left = budget
  return {
    left: () => left,
    evaluate(expression, source) {
      if ('problem' in expression) return { problem: `compilation error: ${expression.problem}` }
      const outcome = expression.evaluate(all)
      left -= outcome.cost + values.takeCost()
      if (left < 0) return undefined
      return outcome.kind === 'failed'
        ? { problem: `expression '${source}' resulted in error: ${outcome.message}` }
        : { value: outcome.value.native() }
    },
  }
}

function judge(
  policy: ValidatingPolicy,
  verdicts: readonly Outcome[],
  messages: Run,
): readonly PolicyFinding[] {
  // The server evaluates all messages before it looks at the first verdict, so that each may spend the budget of all.
  const texts = policy.validations.map(({ messageExpression, source }) =>
    messageExpression === undefined ? { value: '' } : messages.evaluate(messageExpression, source),
  )
  const isSpent = texts.includes(undefined)
  return verdicts.flatMap((verdict, index): readonly PolicyFinding[] => {
    const validation = policy.validations[index]
    if (validation === undefined) return []
    const problem =
      'problem' in verdict
        ? verdict.problem
        : isSpent
          ? `failed messageExpression: ${outOfBudget}`
          : undefined
    if (problem !== undefined) return policy.ignoresFailures ? [] : [{ index, message: problem, reason: '' }]
    if ('value' in verdict && verdict.value === true) return []
    const { source, message, reason } = validation
    const said = usableMessage(texts[index])
    return [
      {
        index,
        message: [said, message, `failed expression: ${source.trim()}`].find((text) => text !== '') ?? '',
        reason: reason === '' ? 'Invalid' : reason,
      },
    ]
  })
}

function usableMessage(outcome: Outcome | undefined): string {
  if (outcome === undefined || !('value' in outcome) || typeof outcome.value !== 'string') return ''
  const text = outcome.value.trim()
  return text.includes('\n') || Buffer.byteLength(text) > longestMessage ? '' : text
}

function annotate(
  policy: ValidatingPolicy,
  run: Run,
): Pick<PolicyResult, 'annotations' | 'annotationProblems'> | undefined {
  const annotations: (readonly [string, string])[] = []
  const annotationProblems: string[] = []
  for (const { key, source, expression } of policy.annotations) {
    const outcome = run.evaluate(expression, source)
    if (outcome === undefined) return undefined
    if ('problem' in outcome) {
      if (!policy.ignoresFailures) annotationProblems.push(outcome.problem)
    } else if (typeof outcome.value === 'string' && outcome.value.trim() !== '') {
      annotations.push([key, outcome.value.trim()])
    }
  }
  return { annotations, annotationProblems }
}
