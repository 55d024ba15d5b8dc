import type { ValidationRule } from '../../structural-schema.js'
import { estimateCost } from '../estimate/cost-estimate.js'
import { type DeclaredSize, declaredSize, maxRequestBytes } from '../estimate/declared-size.js'
import { trimSpace } from '../value/text.js'
import { boolType, type CelType, stringType } from '../value/type.js'
import { declaredType, nameTypes } from './declared-type.js'
import { type CelEnvironment, checkProgram, ProgramError, type SelfProgram } from './program.js'
import type { SchemaNode } from './schema-node.js'

/** What the server finds out about one rule when a CRD is written. */
export interface InspectedRule {
  /** Why it does not compile, in the server's words. */
  readonly problem: string | undefined
  readonly usesOldSelf: boolean
  /** What one run costs at most; 0 for a rule that does not compile. */
  readonly cost: number
  /** Why its message does not compile. */
  readonly messageProblem: string | undefined
  /** What its message costs at most; undefined for a rule without one. */
  readonly messageCost: number | undefined
}

/** The rules of one schema. */
export interface RuleInspection {
  readonly rules: readonly InspectedRule[]
  /** How often data of this schema fits into a request: how often the rules may run where nothing bounds them. */
  readonly maxCardinality: number
}

/** Compiles the rules of one schema and estimates their cost; `undefined` where they see no data. */
export function inspectRules(
  environment: CelEnvironment,
  node: SchemaNode,
  isResourceRoot: boolean,
): RuleInspection | undefined {
  const type = declaredType(node, isResourceRoot)
  const size = declaredSize(node, isResourceRoot)
  if (type === undefined || size === undefined) return undefined
  const place: Place = { environment, selfType: nameTypes(type, 'selfType'), size }
  return {
    rules: (node.schema['x-kubernetes-validations'] ?? []).map((rule) => inspectRule(rule, place)),
    maxCardinality: Math.trunc(maxRequestBytes / (size.minBytes + 1)),
  }
}

interface Place {
  readonly environment: CelEnvironment
  readonly selfType: CelType
  readonly size: DeclaredSize
}

const nothingFound: InspectedRule = {
  problem: undefined,
  usesOldSelf: false,
  cost: 0,
  messageProblem: undefined,
  messageCost: undefined,
}

function inspectRule(rule: ValidationRule, place: Place): InspectedRule {
  if (trimSpace(rule.rule) === '') return nothingFound
  const compiled = compile(rule, 'rule', place)
  if ('problem' in compiled) return { ...nothingFound, problem: compiled.problem }
  const found = { ...nothingFound, usesOldSelf: compiled.program.usesOldSelf, cost: compiled.cost }
  if (rule.messageExpression === undefined || rule.messageExpression === '') return found
  const message = compile(rule, 'messageExpression', place)
  if ('problem' in message) return { ...found, messageProblem: message.problem }
  return { ...found, messageCost: message.cost }
}

type Compiled = { readonly problem: string } | { readonly program: SelfProgram; readonly cost: number }

function compile(rule: ValidationRule, part: 'rule' | 'messageExpression', place: Place): Compiled {
  const isRule = part === 'rule'
  try {
    const { program, checked } = checkProgram(place.environment, {
      source: rule[part] ?? '',
      selfType: place.selfType,
      optionalOldSelf: rule.optionalOldSelf === true,
      resultType: isRule ? boolType : stringType,
      wrongResult: isRule
        ? 'cel expression must evaluate to a bool'
        : 'messageExpression must evaluate to a string',
      prefix: isRule ? '' : 'messageExpression ',
    })
    return { program, cost: estimateCost(checked, place.size) }
  } catch (error) {
    if (error instanceof ProgramError) return { problem: error.message }
    throw error
  }
}
