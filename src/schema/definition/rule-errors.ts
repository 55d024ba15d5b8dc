import type { InspectedRule, RuleInspection } from '../cel/index.js'
import { FieldPathError, normalizeFieldPath } from '../cel/kubernetes/field-path.js'
import { schemaNode } from '../cel/kubernetes/schema-node.js'
import { trimSpace } from '../cel/value/text.js'
import type { FieldError } from '../field-error.js'
import type { StructuralSchema } from '../structural-schema.js'
import { forbidden, invalid, invalidAs, required } from '../validator/field-errors.js'
import { ruleJson } from './internal-form.js'
import { unsupported } from './openapi-rules.js'
import type { RuleProps, SchemaProps } from './schema-props.js'
import { unsupportedKeyword } from './structural-rules.js'

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']
const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text)

/** What is wrong with the parts of rules, before any of them is compiled. */
export function ruleFormErrors(schema: SchemaProps, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
    formErrors(rule, schema, `${path}.x-kubernetes-validations[${index}]`),
  )
}

function formErrors(rule: RuleProps, schema: SchemaProps, path: string): FieldError[] {
  const { message = '', messageExpression = '', fieldPath = '' } = rule
  const errors: FieldError[] = []
  const source = trimSpace(rule.rule)
  const text = trimSpace(message)
  if (source === '') errors.push(required(`${path}.rule`, 'rule is not specified'))
  else if (message !== '' && text === '')
    errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'))
  else if (hasLineBreak(text))
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'))
  else if (hasLineBreak(source) && text === '')
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'))
  if (messageExpression !== '' && trimSpace(messageExpression) === '')
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  if (rule.reason !== undefined && !reasons.includes(rule.reason))
    errors.push(unsupported(`${path}.reason`, rule.reason, reasons))
  const at = `${path}.fieldPath`
  if (fieldPath !== '' && trimSpace(fieldPath) === '')
    errors.push(invalid(at, fieldPath, 'must be non-empty if specified'))
  if (hasLineBreak(fieldPath)) errors.push(invalid(at, fieldPath, 'must not contain line breaks'))
  if (fieldPath !== '' && !isFieldPath(schema, fieldPath))
    errors.push(invalid(at, fieldPath, 'must be a valid path'))
  return errors
}

function isFieldPath(schema: SchemaProps, fieldPath: string): boolean {
  if (unsupportedKeyword(schema) !== undefined) return true
  try {
    // Nothing that is not structural is left in it, as far as paths are concerned.
    normalizeFieldPath(fieldPath, schemaNode(schema as StructuralSchema))
    return true
  } catch (error) {
    if (error instanceof FieldPathError) return false
    throw error
  }
}

/** What one rule may cost, in the server's units. */
const ruleCostLimit = 10_000_000
/** What all rules of a schema may cost together. */
const schemaCostLimit = 100_000_000
const longestList = 4

/** Adds up what the rules of a schema cost. */
export class CostTally {
  #total = 0
  #largest: { readonly path: string; readonly cost: number }[] = []

  add(path: string, cost: number): void {
    this.#total += cost
    if (cost < schemaCostLimit / 100) return
    this.#largest = [...this.#largest, { path, cost }]
      .sort((left, right) => right.cost - left.cost)
      .slice(0, longestList)
  }

  errors(path: string): FieldError[] {
    if (this.#total <= schemaCostLimit) return []
    const share = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const title = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    return [
      ...this.#largest.map((rule) => forbidden(rule.path, share)),
      forbidden(path, costMessage(title, this.#total, schemaCostLimit)),
    ]
  }
}

function costMessage(title: string, cost: number, limit: number): string {
  const times = cost / limit
  const factor =
    times > 100 ? 'more than 100x' : times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`
  return `${title} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
}

interface CompiledContext {
  /** How often the rules run at most; undefined where no limit of a list or a map around bounds it. */
  readonly cardinality: number | undefined
  /** The outermost part of the schema whose values cannot be matched with old ones. */
  readonly uncorrelatable: string | undefined
  readonly tally: CostTally
}

/** What is wrong with the rules of one schema once they are compiled. */
export function compiledRuleErrors(
  rules: readonly RuleProps[],
  inspection: RuleInspection | undefined,
  path: string,
  context: CompiledContext,
): FieldError[] {
  const at = `${path}.x-kubernetes-validations`
  if (inspection === undefined) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations'
    return [{ reason: 'InternalError', field: at, message: `Internal error: ${detail}` }]
  }
  const cardinality = context.cardinality ?? inspection.maxCardinality
  return rules.flatMap((rule, index) => {
    const found = inspection.rules[index]
    return found === undefined ? [] : ruleErrors(rule, found, `${at}[${index}]`, { ...context, cardinality })
  })
}

function ruleErrors(
  rule: RuleProps,
  found: InspectedRule,
  path: string,
  { cardinality, uncorrelatable, tally }: CompiledContext & { readonly cardinality: number },
): FieldError[] {
  const errors: FieldError[] = []
  const checkCost = (at: string, title: string, cost: number): void => {
    if (cost > ruleCostLimit) errors.push(forbidden(at, costMessage(title, cost, ruleCostLimit)))
    tally.add(at, cost)
  }
  checkCost(`${path}.rule`, 'estimated rule cost', found.cost === 0 ? 0 : found.cost * cardinality)
  if (found.problem !== undefined) errors.push(invalidAs(`${path}.rule`, ruleJson(rule), found.problem))
  if (found.messageProblem !== undefined)
    errors.push(invalidAs(`${path}.messageExpression`, ruleJson(rule), found.messageProblem))
  else if (found.messageCost !== undefined)
    checkCost(`${path}.messageExpression`, 'estimated messageExpression cost', found.messageCost)
  if (found.usesOldSelf) {
    if (uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`
      errors.push(invalid(`${path}.rule`, rule.rule, detail))
    }
  } else if (rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule'
    errors.push(invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, detail))
  }
  return errors
}
