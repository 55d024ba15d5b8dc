import type { ValidationRule } from '../../structural-schema.js'
import { CelRuleError } from '../rule-error.js'
import { trimSpace } from '../value/text.js'
import { boolType, type CelType, stringType } from '../value/type.js'
import { FieldPathError, normalizeFieldPath } from './field-path.js'
import { type CelEnvironment, compileProgram, ProgramError, type SelfProgram } from './program.js'
import type { SchemaNode } from './schema-node.js'

/** A rule ready to be evaluated. */
export interface CompiledRule {
  readonly program: SelfProgram
  /** Why there is no program: the rule reports that instead of running. */
  readonly problem?: string
  readonly message: { readonly source: string; readonly program: SelfProgram } | undefined
  readonly reason: ValidationRule['reason']
  readonly optionalOldSelf: boolean
  /** Empty where errors are reported at the place of the rule itself. */
  readonly fieldPath: string
  /** What errors at run time call the rule: its message, or its program if it has none. */
  readonly title: string
  /** What is said when the rule is broken and no message expression says more. */
  readonly detail: string
}

interface RuleContext {
  readonly environment: CelEnvironment
  readonly node: SchemaNode
  readonly selfType: CelType | undefined
  /** Where in the schema rules stand: `properties[spec].x-kubernetes-validations`. */
  readonly schemaPath: string
  /** The innermost list whose elements cannot be matched with old ones, where there is one around. */
  readonly uncorrelatable: string | undefined
}

const reasons = new Set([
  'FieldValueInvalid',
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
])

/** Compiles a rule. Throws {@link CelRuleError} for anything that the server refuses at the CRD. */
export function compileRule(rule: ValidationRule, index: number, context: RuleContext): CompiledRule {
  const at = `${context.schemaPath}[${index}]`
  const refuse = (part: keyof ValidationRule, text: string, detail: string, cause?: unknown): CelRuleError =>
    new CelRuleError({ schemaPath: `${at}.${part}`, rule: text, detail, cause })
  const source = trimSpace(rule.rule)
  const message = trimSpace(rule.message ?? '')
  if (source === '') throw refuse('rule', rule.rule, 'rule is not specified')
  if (rule.message !== undefined && rule.message !== '' && message === '')
    throw refuse('message', rule.message, 'must be non-empty if specified')
  if (message.includes('\n')) throw refuse('message', message, 'must not contain line breaks')
  if (source.includes('\n') && message === '')
    throw refuse('message', source, 'message must be specified if rule contains line breaks')
  if (
    rule.messageExpression !== undefined &&
    rule.messageExpression !== '' &&
    trimSpace(rule.messageExpression) === ''
  )
    throw refuse(
      'messageExpression',
      rule.messageExpression,
      'messageExpression must be non-empty if specified',
    )
  if (rule.reason !== undefined && !reasons.has(rule.reason))
    throw refuse('reason', rule.reason, `supported values: ${[...reasons].sort().join(', ')}`)
  const program = compilePart(rule, 'rule', context, refuse)
  checkOldSelf(rule, program, context, refuse)
  const title = message === '' ? source : message
  return {
    program,
    message:
      rule.messageExpression === undefined || rule.messageExpression === ''
        ? undefined
        : {
            source: rule.messageExpression,
            program: compilePart(rule, 'messageExpression', context, refuse),
          },
    reason: rule.reason,
    optionalOldSelf: rule.optionalOldSelf === true,
    fieldPath: fieldPathOf(rule, context, refuse),
    title,
    detail: message === '' ? `failed rule: ${title}` : message,
  }
}

const noProgram: SelfProgram = {
  usesOldSelf: false,
  run: () => ({ kind: 'value', value: true, cost: 0 }),
}

/** As {@link compileRule}, as the server does it where it has not checked the rule before: what is wrong shows when it is used. */
export function compileLeniently(rule: ValidationRule, index: number, context: RuleContext): CompiledRule {
  try {
    return compileRule(rule, index, context)
  } catch (error) {
    if (!(error instanceof CelRuleError)) throw error
    const source = trimSpace(rule.rule)
    const message = trimSpace(rule.message ?? '')
    const base = {
      message: undefined,
      reason: rule.reason,
      optionalOldSelf: rule.optionalOldSelf === true,
      fieldPath: '',
      title: message === '' ? source : message,
      detail: message === '' ? `failed rule: ${source}` : message,
    }
    if (source === '') return { ...base, program: noProgram }
    try {
      const refuse: Refuse = (part, text, detail, cause) =>
        new CelRuleError({ schemaPath: part, rule: text, detail, cause })
      return { ...base, program: compilePart(rule, 'rule', context, refuse) }
    } catch (broken) {
      if (!(broken instanceof CelRuleError)) throw broken
      return { ...base, program: noProgram, problem: broken.detail }
    }
  }
}

type Refuse = (part: keyof ValidationRule, text: string, detail: string, cause?: unknown) => CelRuleError

function compilePart(
  rule: ValidationRule,
  part: 'rule' | 'messageExpression',
  context: RuleContext,
  refuse: Refuse,
): SelfProgram {
  const source = rule[part] ?? ''
  if (context.selfType === undefined)
    throw refuse(
      part,
      source,
      'rules cannot be used on data whose fields are unknown: give the schema a type',
    )
  const isRule = part === 'rule'
  try {
    return compileProgram(context.environment, {
      source,
      selfType: context.selfType,
      optionalOldSelf: rule.optionalOldSelf === true,
      resultType: isRule ? boolType : stringType,
      wrongResult: isRule
        ? 'cel expression must evaluate to a bool'
        : 'messageExpression must evaluate to a string',
      prefix: isRule ? '' : 'messageExpression ',
    })
  } catch (error) {
    if (error instanceof ProgramError) throw refuse(part, source, error.message, error)
    throw error
  }
}

function checkOldSelf(
  rule: ValidationRule,
  program: SelfProgram,
  context: RuleContext,
  refuse: Refuse,
): void {
  if (!program.usesOldSelf) {
    if (rule.optionalOldSelf === undefined) return
    throw refuse('optionalOldSelf', rule.rule, 'may not be set if oldSelf is not used in rule')
  }
  if (context.uncorrelatable === undefined) return
  throw refuse(
    'rule',
    rule.rule,
    `oldSelf cannot be used on the uncorrelatable portion of the schema within ${context.uncorrelatable}`,
  )
}

function fieldPathOf(rule: ValidationRule, context: RuleContext, refuse: Refuse): string {
  if (rule.fieldPath === undefined || rule.fieldPath === '') return ''
  try {
    return normalizeFieldPath(rule.fieldPath, context.node)
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error
    throw refuse('fieldPath', rule.fieldPath, `must be a valid path: ${error.message}`, error)
  }
}
