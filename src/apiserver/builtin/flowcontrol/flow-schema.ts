import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../kinds/flowcontrol.apiserver.k8s.io/v1.js'
import { goJson } from '../../../schema/internal.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidFor, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { labelName, subdomainName } from '../name-rules.js'
import { isAbsent, isBlank } from '../value-rules.js'
import { validateConditionTypes } from './priority-level.js'

export const flowSchemaRules: KindRules = {
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  defaults(draft) {
    const schema = draftOf<FlowSchema>(draft)
    schema.spec ??= {}
    schema.spec.matchingPrecedence ||= 1000
  },
  validateCreate: (object) => [
    ...validateSpec(viewOf<FlowSchema>(object).spec ?? {}, object.metadata.name ?? ''),
    ...validateConditionTypes(viewOf<FlowSchema>(object).status?.conditions),
  ],
  validateStatusUpdate: (object) => validateConditionTypes(viewOf<FlowSchema>(object).status?.conditions),
}

const methods = ['ByNamespace', 'ByUser']
const lowestPrecedence = 10_000

function validateSpec(spec: View<FlowSchemaSpec>, name: string): FieldError[] {
  const {
    matchingPrecedence: precedence = 0,
    distinguisherMethod,
    priorityLevelConfiguration,
    rules = [],
  } = spec
  const level = priorityLevelConfiguration?.name
  const wrong = (why: string): FieldError[] => [invalid('spec.matchingPrecedence', precedence, why)]
  const levelPath = 'spec.priorityLevelConfiguration.name'
  return [
    ...(precedence <= 0 ? wrong('must be a positive value') : []),
    ...(precedence > lowestPrecedence ? wrong(`must not be greater than ${lowestPrecedence}`) : []),
    ...(precedence === 1 && name !== 'exempt'
      ? wrong("only the schema named 'exempt' may have matchingPrecedence 1")
      : []),
    ...validateMethod(distinguisherMethod?.type, isAbsent(distinguisherMethod)),
    ...(isBlank(level)
      ? [required(levelPath, 'must reference a priority level')]
      : invalidFor(levelPath, level, subdomainName(level, false))),
    ...rules.flatMap((rule, index) => validateRules(rule, `spec.rules[${index}]`)),
  ]
}

function validateMethod(type: string | undefined, isUnset: boolean): FieldError[] {
  if (isUnset || methods.includes(type ?? '')) return []
  const error = notSupported('spec.distinguisherMethod.type', '', methods)
  // The whole method stands in the message, as the server's own type has it.
  return [{ ...error, message: error.message.replace('""', () => `{"Type":${goJson(type ?? '')}}`) }]
}

function validateRules(rule: View<PolicyRulesWithSubjects>, path: string): FieldError[] {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rule
  return [
    ...((subjects ?? []).length === 0
      ? [required(`${path}.subjects`, 'subjects must contain at least one value')]
      : subjects.flatMap((subject, index) => validateSubject(subject, `${path}.subjects[${index}]`))),
    ...(resourceRules.length === 0 && nonResourceRules.length === 0
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resourceRules.flatMap((given, index) =>
      validateResourceRule(given, `${path}.resourceRules[${index}]`),
    ),
    ...nonResourceRules.flatMap((given, index) =>
      validateUrlRule(given, `${path}.nonResourceRules[${index}]`),
    ),
  ]
}

const fieldOfKind = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const

function validateSubject(subject: View<Subject>, path: string): FieldError[] {
  const { kind = '' } = subject
  if (kind !== 'ServiceAccount' && kind !== 'User' && kind !== 'Group')
    return [notSupported(`${path}.kind`, kind, ['Group', 'ServiceAccount', 'User'])]
  const field = fieldOfKind[kind]
  const others = (
    Object.entries(fieldOfKind) as [
      keyof typeof fieldOfKind,
      (typeof fieldOfKind)[keyof typeof fieldOfKind],
    ][]
  )
    .filter(([other]) => other !== kind && !isAbsent(subject[fieldOfKind[other]]))
    .map(([other, otherField]) =>
      forbidden(`${path}.${otherField}`, `${otherField} is forbidden when subject kind is not '${other}'`),
    )
  const given = subject[field]
  if (isAbsent(given))
    return [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`), ...others]
  return [
    ...(isBlank(given.name) ? [required(`${path}.${field}.name`)] : []),
    ...(kind === 'ServiceAccount' ? validateServiceAccount(subject, `${path}.serviceAccount`) : []),
    ...others,
  ]
}

function validateServiceAccount({ serviceAccount }: View<Subject>, path: string): FieldError[] {
  const { name, namespace } = serviceAccount ?? {}
  return [
    ...(isBlank(name) || name === '*' ? [] : invalidFor(`${path}.name`, name, subdomainName(name, false))),
    ...(isBlank(namespace)
      ? [required(`${path}.namespace`, 'must specify namespace for service account')]
      : invalidFor(`${path}.namespace`, namespace, labelName(namespace, false))),
  ]
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

/** A list that says everything with a star, and then nothing else. */
function validateList(
  values: readonly string[],
  path: string,
  words: { readonly none: string; readonly others: string },
): FieldError[] {
  if (values.length === 0) return [required(path, words.none)]
  return values.length > 1 && values.includes('*')
    ? [invalid(path, values, `if '*' is present, must not specify other ${words.others}`)]
    : []
}

function validateVerbs(given: readonly string[], path: string): FieldError[] {
  const words = { none: 'verbs must contain at least one value', others: 'verbs' }
  const errors = validateList(given, path, words)
  return errors.length > 0 || given.includes('*') || given.every((verb) => verbs.includes(verb))
    ? errors
    : [notSupported(path, given, verbs)]
}

function validateResourceRule(rule: View<ResourcePolicyRule>, path: string): FieldError[] {
  const { apiGroups, resources, clusterScope = false } = rule
  const namespaces = rule.namespaces ?? []
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...validateList(apiGroups ?? [], `${path}.apiGroups`, {
      none: 'resource rules must supply at least one api group',
      others: 'api groups',
    }),
    ...validateList(resources ?? [], `${path}.resources`, {
      none: 'resource rules must supply at least one resource',
      others: 'resources',
    }),
    ...(namespaces.length === 0 && clusterScope ? [] : validateNamespaces(namespaces, `${path}.namespaces`)),
  ]
}

function validateNamespaces(namespaces: readonly string[], path: string): FieldError[] {
  const errors = validateList(namespaces, path, {
    none: 'resource rules that are not cluster scoped must supply at least one namespace',
    others: 'namespaces',
  })
  if (errors.length > 0 || namespaces.includes('*')) return errors
  const rule = "each member of this list must be '*' or a DNS-1123 label; "
  return namespaces.flatMap((namespace, index) =>
    labelName(namespace, false).map((problem) =>
      invalid(`${path}[${index}]`, namespace, `${rule}${problem}`),
    ),
  )
}

function validateUrlRule(rule: View<NonResourcePolicyRule>, path: string): FieldError[] {
  const urls = rule.nonResourceURLs ?? []
  const urlsPath = `${path}.nonResourceURLs`
  const errors = validateList(urls, urlsPath, {
    none: 'nonResourceURLs must contain at least one value',
    others: 'non-resource URLs',
  })
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...errors,
    ...(errors.length > 0 || urls.includes('*')
      ? []
      : urls.flatMap((url, index) => {
          const problem = urlProblem(url)
          return problem === undefined ? [] : [invalid(`${urlsPath}[${index}]`, url, problem)]
        })),
  ]
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty'
  if (url === '/') return undefined
  if (!url.startsWith('/')) return 'must start with slash'
  if (url.includes(' ')) return 'must not contain white-space'
  if (url.includes('//')) return 'must not contain double slash'
  const stars = url.split('*').length - 1
  return stars > 1 || (stars === 1 && !url.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined
}
