/**
 * Which requests a webhook or a policy is about.
 *
 * @module
 */
import type {
  MatchCondition,
  MatchResources,
  NamedRuleWithOperations,
  RuleWithOperations,
} from '../../../kinds/admissionregistration.k8s.io/v1.js'
import type { Draft, View } from '../draft.js'
import {
  duplicate,
  type FieldError,
  invalid,
  invalidFor,
  notSupported,
  required,
  tooMany,
} from '../field-errors.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { pathSegmentName } from '../name-rules.js'
import { isAbsent, isBlank, validateQualifiedName, validateWord } from '../value-rules.js'

export const failurePolicies: readonly string[] = ['Fail', 'Ignore']
export const matchPolicies: readonly string[] = ['Equivalent', 'Exact']
const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes = ['*', 'Cluster', 'Namespaced']

export function defaultMatchResources(match: Draft<MatchResources>): void {
  match.matchPolicy ??= 'Equivalent'
  match.namespaceSelector ??= {}
  match.objectSelector ??= {}
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])])
    rule.scope ??= '*'
}

export function validateMatchResources(match: View<MatchResources>, path: string): FieldError[] {
  const {
    matchPolicy,
    namespaceSelector,
    objectSelector,
    resourceRules = [],
    excludeResourceRules = [],
  } = match
  const selector = (value: View<MatchResources>['objectSelector'], at: string): FieldError[] =>
    isAbsent(value) ? [required(at)] : validateLabelSelector(value, at)
  return [
    ...(isAbsent(matchPolicy)
      ? [required(`${path}.matchPolicy`)]
      : validateWord(matchPolicy, matchPolicies, `${path}.matchPolicy`)),
    ...selector(namespaceSelector, `${path}.namespaceSelector`),
    ...selector(objectSelector, `${path}.objectSelector`),
    ...resourceRules.flatMap((rule, index) => validateNamedRule(rule, `${path}.resourceRules[${index}]`)),
    ...excludeResourceRules.flatMap((rule, index) =>
      validateNamedRule(rule, `${path}.excludeResourceRules[${index}]`),
    ),
  ]
}

function validateNamedRule(rule: View<NamedRuleWithOperations>, path: string): FieldError[] {
  const names = rule.resourceNames ?? []
  return [
    ...names.flatMap((name, index) => [
      ...invalidFor(`${path}.resourceNames[${index}]`, name, pathSegmentName(name, false)),
      ...(names.indexOf(name) < index ? [duplicate(`${path}.resourceNames[${index}]`, name)] : []),
    ]),
    ...validateOperationRule(rule, path),
  ]
}

/** What a rule says of operations and resources. */
export function validateOperationRule(rule: View<RuleWithOperations>, path: string): FieldError[] {
  const { operations: given = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule
  return [
    ...(given.length === 0 ? [required(`${path}.operations`)] : []),
    ...alone(given, `${path}.operations`, 'operations'),
    ...given.flatMap((operation, index) =>
      operations.includes(operation)
        ? []
        : [notSupported(`${path}.operations[${index}]`, operation, operations)],
    ),
    ...(apiGroups.length === 0 ? [required(`${path}.apiGroups`)] : []),
    ...alone(apiGroups, `${path}.apiGroups`, 'API groups'),
    ...(apiVersions.length === 0 ? [required(`${path}.apiVersions`)] : []),
    ...alone(apiVersions, `${path}.apiVersions`, 'API versions'),
    ...apiVersions.flatMap((version, index) =>
      version === '' ? [required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...validateResources(resources, `${path}.resources`),
    ...(isAbsent(scope) || scopes.includes(scope) ? [] : [notSupported(`${path}.scope`, scope, scopes)]),
  ]
}

/** A star says all there is to say. */
function alone(values: readonly string[], path: string, what: string): FieldError[] {
  return values.length > 1 && values.includes('*')
    ? [invalid(path, values, `if '*' is present, must not specify other ${what}`)]
    : []
}

function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)]
  const errors: FieldError[] = []
  const wholeResources = new Set<string>()
  const wholeSubresources = new Set<string>()
  let hasPlainResource = false
  for (const [index, text] of resources.entries()) {
    const at = `${path}[${index}]`
    if (text === '') {
      errors.push(required(at))
      continue
    }
    const slash = text.indexOf('/')
    if (slash === -1) {
      hasPlainResource = text !== '*'
      continue
    }
    const resource = text.slice(0, slash)
    const subresource = text.slice(slash + 1)
    if (wholeResources.has(resource))
      errors.push(invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`))
    if (wholeSubresources.has(subresource))
      errors.push(invalid(at, text, `if '*/${subresource}' is present, must not specify ${text}`))
    if (subresource === '*') wholeResources.add(resource)
    if (resource === '*') wholeSubresources.add(subresource)
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"))
  if (resources.includes('*') && hasPlainResource)
    errors.push(
      invalid(path, resources, "if '*' is present, must not specify other resources without subresources"),
    )
  return errors
}

/** Conditions beyond the rules; `compile` says what is wrong with an expression. */
export function validateMatchConditions(
  conditions: readonly View<MatchCondition>[],
  path: string,
  compile: (expression: string, path: string) => readonly FieldError[],
): FieldError[] {
  const names = conditions.map(({ name = '' }) => name)
  return [
    ...(conditions.length > 64 ? [tooMany(path, conditions.length, 64)] : []),
    ...conditions.flatMap(({ expression = '', name }, index) => {
      const at = `${path}[${index}]`
      const text = expression.trim()
      return [
        ...(text === '' ? [required(`${at}.expression`)] : compile(text, `${at}.expression`)),
        ...(isBlank(name) ? [required(`${at}.name`)] : validateQualifiedName(name, `${at}.name`)),
        ...(!isBlank(name) && names.indexOf(name) < index ? [duplicate(`${at}.name`, name)] : []),
      ]
    }),
  ]
}
