import { deepEqual } from '../../base/index.js'
import type {
  AggregationRule,
  ClusterRole,
  PolicyRule,
  RoleBinding,
  RoleRef,
  Subject,
} from '../../kinds/rbac.authorization.k8s.io/v1.js'
import { goJson } from '../../schema/internal.js'
import { draftOf, type View, viewOf } from './draft.js'
import { type FieldError, invalid, invalidAs, invalidFor, notSupported, required } from './field-errors.js'
import type { GroupRules, KindRules } from './kind-rules.js'
import { validateLabelSelector } from './label-selector-rules.js'
import { pathSegmentName, subdomainName } from './name-rules.js'
import { isAbsent, isBlank, validateWord } from './value-rules.js'
import { selectorTerms } from './workload-rules.js'

const group = 'rbac.authorization.k8s.io'

function roleRules(isNamespaced: boolean): KindRules {
  return {
    nameProblems: (name) => pathSegmentName(name, false),
    allowsCreateOnUpdate: true,
    validateCreate(object) {
      const { rules, aggregationRule } = viewOf<ClusterRole>(object)
      return [
        ...(rules ?? []).flatMap((rule, index) => validateRule(rule, isNamespaced, `rules[${index}]`)),
        ...(isNamespaced || isAbsent(aggregationRule) ? [] : validateAggregation(aggregationRule)),
      ]
    },
  }
}

function bindingRules(isNamespaced: boolean): KindRules {
  const validate = (binding: View<RoleBinding>): FieldError[] => [
    ...validateRoleRef(binding.roleRef ?? {}, isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']),
    ...(binding.subjects ?? []).flatMap((subject, index) =>
      validateSubject(subject, isNamespaced, `subjects[${index}]`),
    ),
  ]
  return {
    nameProblems: (name) => pathSegmentName(name, false),
    allowsCreateOnUpdate: true,
    defaults(draft) {
      const binding = draftOf<RoleBinding>(draft)
      binding.roleRef ??= {}
      if (isBlank(binding.roleRef.apiGroup)) binding.roleRef.apiGroup = group
      for (const subject of binding.subjects ?? [])
        if (isBlank(subject.apiGroup) && (subject.kind === 'User' || subject.kind === 'Group'))
          subject.apiGroup = group
    },
    validateCreate: (object) => validate(viewOf<RoleBinding>(object)),
    validateUpdate(object, old) {
      const binding = viewOf<RoleBinding>(object)
      const errors = validate(binding)
      const { apiGroup = '', kind = '', name = '' } = binding.roleRef ?? {}
      if (!deepEqual(binding.roleRef, viewOf<RoleBinding>(old).roleRef))
        errors.push(
          invalidAs(
            'roleRef',
            `{"APIGroup":${goJson(apiGroup)},"Kind":${goJson(kind)},"Name":${goJson(name)}}`,
            'cannot change roleRef',
          ),
        )
      return errors
    },
  }
}

/** What is particular to the kinds of rbac.authorization.k8s.io. */
export const rbacRules: GroupRules = {
  ClusterRole: roleRules(false),
  ClusterRoleBinding: bindingRules(false),
  Role: roleRules(true),
  RoleBinding: bindingRules(true),
}

function validateRule(rule: View<PolicyRule>, isNamespaced: boolean, path: string): FieldError[] {
  const { verbs = [], nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule
  const errors: FieldError[] = []
  if ((verbs ?? []).length === 0)
    errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'))
  if (nonResourceURLs.length > 0) {
    const wrong = (why: string): FieldError => invalid(`${path}.nonResourceURLs`, nonResourceURLs, why)
    if (isNamespaced) errors.push(wrong('namespaced rules cannot apply to non-resource URLs'))
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0)
      errors.push(wrong('rules cannot apply to both regular resources and non-resource URLs'))
    return errors
  }
  if (apiGroups.length === 0)
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
  if (resources.length === 0)
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'))
  return errors
}

function validateAggregation({ clusterRoleSelectors = [] }: View<AggregationRule>): FieldError[] {
  const path = 'aggregationRule.clusterRoleSelectors'
  if (clusterRoleSelectors.length === 0)
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  return clusterRoleSelectors.flatMap((selector, index) => [
    ...validateLabelSelector(selector, `${path}[${index}]`),
    ...(selectorTerms(selector) === undefined
      ? [invalid(`${path}[${index}]`, null, 'invalid label selector.')]
      : []),
  ])
}

function validateRoleRef({ apiGroup, kind, name }: View<RoleRef>, kinds: readonly string[]): FieldError[] {
  return [
    ...validateWord(apiGroup, [group], 'roleRef.apiGroup'),
    ...validateWord(kind, kinds, 'roleRef.kind'),
    ...(isBlank(name)
      ? [required('roleRef.name')]
      : invalidFor('roleRef.name', name, pathSegmentName(name, false))),
  ]
}

function validateSubject(subject: View<Subject>, isNamespaced: boolean, path: string): FieldError[] {
  const { kind = '', name, apiGroup, namespace } = subject
  const errors: FieldError[] = isBlank(name) ? [required(`${path}.name`)] : []
  switch (kind) {
    case 'ServiceAccount':
      if (!isBlank(name)) errors.push(...invalidFor(`${path}.name`, name, subdomainName(name, false)))
      if (!isBlank(apiGroup)) errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']))
      if (!isNamespaced && isBlank(namespace)) errors.push(required(`${path}.namespace`))
      return errors
    case 'User':
    case 'Group':
      return [...errors, ...validateWord(apiGroup, [group], `${path}.apiGroup`)]
    default:
      return [...errors, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
  }
}
