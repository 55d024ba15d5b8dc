/**
 * What validating and mutating policies have in common.
 *
 * @module
 */
import { deepEqual } from '../../../base/index.js'
import type {
  ParamKind,
  ValidatingAdmissionPolicySpec,
} from '../../../kinds/admissionregistration.k8s.io/v1.js'
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../objects/index.js'
import type { Draft, View } from '../draft.js'
import { type FieldError, invalid, required } from '../field-errors.js'
import { isAbsent, isBlank, validateWord } from '../value-rules.js'
import type { ExpressionChecker } from './expressions.js'
import {
  defaultMatchResources,
  failurePolicies,
  validateMatchConditions,
  validateMatchResources,
} from './match-rules.js'

type CommonFields = 'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'

/** The part of a spec that both kinds have. */
export type CommonSpec = Pick<View<ValidatingAdmissionPolicySpec>, CommonFields>

export function defaultPolicy(spec: Draft<Pick<ValidatingAdmissionPolicySpec, CommonFields>>): void {
  spec.failurePolicy ??= 'Fail'
  if (!isAbsent(spec.matchConstraints)) defaultMatchResources(spec.matchConstraints)
}

/** Conditions that were let in once are not looked at again. */
export function haveConditionsChanged(spec: CommonSpec = {}, old: CommonSpec = {}): boolean {
  return !deepEqual(spec.paramKind, old.paramKind) || !deepEqual(spec.matchConditions, old.matchConditions)
}

export interface PolicyChecks {
  readonly checksConditions: boolean
  readonly checker: ExpressionChecker
}

/** What is wrong with that part, and a checker for expressions that may use the policy's variables. */
export function validateCommon(
  spec: CommonSpec,
  { checksConditions, checker }: PolicyChecks,
): { readonly errors: FieldError[]; readonly checker: ExpressionChecker } {
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [] } = spec
  const hasParams = !isAbsent(paramKind)
  const variables = validateVariables(spec.variables ?? [], hasParams, checker)
  const errors = [
    ...(isAbsent(failurePolicy)
      ? [required('spec.failurePolicy')]
      : validateWord(failurePolicy, failurePolicies, 'spec.failurePolicy')),
    ...(isAbsent(paramKind) ? [] : validateParamKind(paramKind, 'spec.paramKind')),
    ...validateConstraints(matchConstraints, 'spec.matchConstraints'),
    ...(checksConditions
      ? validateMatchConditions(matchConditions, 'spec.matchConditions', (expression, path) =>
          checker.check(expression, path, { returns: ['bool'], hasParams }),
        )
      : []),
    ...variables.errors,
  ]
  return { errors, checker: variables.checker }
}

function validateConstraints(match: CommonSpec['matchConstraints'], path: string): FieldError[] {
  if (isAbsent(match)) return [required(path)]
  return [
    ...validateMatchResources(match, path),
    ...((match.resourceRules ?? []).length === 0 ? [required(`${path}.resourceRules`)] : []),
  ]
}

function validateParamKind({ apiVersion, kind }: View<ParamKind>, path: string): FieldError[] {
  const kindProblems = isBlank(kind) ? [] : dns1035LabelErrors(kind.toLowerCase())
  const rule = `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`
  return [
    ...(isBlank(apiVersion)
      ? [required(`${path}.apiVersion`)]
      : validateParamVersion(apiVersion, `${path}.apiVersion`)),
    ...(isBlank(kind) ? [required(`${path}.kind`)] : []),
    ...(kindProblems.length === 0 ? [] : [invalid(`${path}.kind`, kind, rule)]),
  ]
}

function validateParamVersion(apiVersion: string, path: string): FieldError[] {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/')
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const version = parts.at(-1) ?? ''
  const group = parts.length === 2 ? (parts[0] ?? '') : ''
  const groupProblems = group === '' ? [] : dns1123SubdomainErrors(group)
  const versionProblems = version === '' ? [] : dns1035LabelErrors(version)
  return [
    ...(groupProblems.length === 0 ? [] : [invalid(path, group, groupProblems.join(','))]),
    ...(version === '' ? [invalid(path, apiVersion, 'version must be specified')] : []),
    ...(versionProblems.length === 0 ? [] : [invalid(path, version, versionProblems.join(','))]),
  ]
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/
const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

function validateVariables(
  variables: NonNullable<CommonSpec['variables']>,
  hasParams: boolean,
  checker: ExpressionChecker,
): ReturnType<ExpressionChecker['withVariables']> {
  const named = variables.map(({ name = '', expression = '' }, index) => ({
    name,
    expression,
    path: `spec.variables[${index}].expression`,
  }))
  const compiled = checker.withVariables(
    named.filter(({ expression }) => expression.trim() !== ''),
    { hasParams },
  )
  const errors = named.flatMap(({ name, expression, path }, index) => [
    ...validateVariableName(name, `spec.variables[${index}].name`),
    ...(expression.trim() === '' ? [required(path, 'expression is not specified')] : []),
    ...compiled.errors.filter(({ field }) => field === path),
  ])
  return { errors, checker: compiled.checker }
}

function validateVariableName(name: string, path: string): FieldError[] {
  if (name.trim() === '') return [required(path, 'name is not specified')]
  return identifier.test(name) && !reservedWords.has(name)
    ? []
    : [invalid(path, name, 'must be a valid CEL identifier')]
}
