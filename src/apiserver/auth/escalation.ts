import { deepCopy, deepEqual } from '../../base/index.js'
import { quoteText } from '../../schema/index.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission/admission.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { ApiFailure, badRequest, forbidden, notFound } from '../failure.js'
import type { RequestInfo } from '../request/request-info.js'
import { mastersGroup, type User } from '../user.js'
import type { Authorizer } from './authorizer.js'
import { fieldsOf, listOf, textOf } from './fields.js'
import { describeRules, type PolicyRule, policyRules, quoteList, uncoveredRules } from './policy-rule.js'
import type { RuleResolver } from './rule-resolver.js'

const group = 'rbac.authorization.k8s.io'
const guarded = new Set(['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'])

/** What only a cluster administrator has: needed to let a role gather others. */
const everything = policyRules([
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
])

/**
 * Keeps people from giving what they do not have: a role may hold, and a binding may refer to, only rules that its writer
 * has himself, unless he may `escalate` that role or `bind` it. The server asks this after all mutations and before
 * validation, so the plugin belongs at the end of those that mutate.
 */
export function createEscalationGuard(authorizer: Authorizer, resolver: RuleResolver): AdmissionPlugin {
  return {
    name: 'RBACEscalation',
    handles: ({ info, operation }) =>
      info.group === group &&
      info.subresource === '' &&
      guarded.has(info.resource) &&
      (operation === 'CREATE' || operation === 'UPDATE'),
    mutate(request) {
      const { object, oldObject, user, info } = request
      if (object === undefined || user.groups.includes(mastersGroup)) return
      const isRole = info.resource === 'roles' || info.resource === 'clusterroles'
      if (isRole && mayDo(authorizer, user, { ...info, verb: 'escalate' })) return
      if (oldObject !== undefined && changesOnlyOwnership(object, oldObject)) return
      if (isRole) checkRole(request, object, resolver)
      else checkBinding(request, object, { authorizer, resolver })
    },
  }
}

function mayDo(authorizer: Authorizer, user: User, info: RequestInfo): boolean {
  return authorizer({ user, info: { ...info, version: '*', subresource: '' } }).isAllowed
}

function checkRole(request: AdmissionRequest, role: ApiObject, resolver: RuleResolver): void {
  const refuse = (why: string): ApiFailure =>
    forbidden({ group, resource: request.info.resource }, role.metadata.name ?? '', why)
  const problem = escalationProblem(request, policyRules(role['rules']), resolver)
  if (problem !== undefined) throw refuse(problem)
  if (request.info.resource !== 'clusterroles') return
  if (!gathers(role) && (request.oldObject === undefined || !gathers(request.oldObject))) return
  if (escalationProblem(request, everything, resolver) !== undefined)
    throw refuse('must have cluster-admin privileges to use the aggregationRule')
}

function gathers(role: ApiObject | StoredApiObject): boolean {
  return listOf(fieldsOf(role['aggregationRule'])['clusterRoleSelectors']).length > 0
}

function checkBinding(
  request: AdmissionRequest,
  binding: ApiObject,
  { authorizer, resolver }: { authorizer: Authorizer; resolver: RuleResolver },
): void {
  const { info, user } = request
  const roleRef = fieldsOf(binding['roleRef'])
  const kind = textOf(roleRef['kind'])
  const name = textOf(roleRef['name'])
  const plural = kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined
  const roleGroup = textOf(roleRef['apiGroup'])
  if (
    plural !== undefined &&
    mayDo(authorizer, user, { ...info, verb: 'bind', group: roleGroup, resource: plural, name })
  )
    return
  if (kind === 'Role' && info.namespace === '') throw badRequest('Namespace parameter required.')
  const found = resolver.rulesOf({ kind, name }, info.namespace)
  const subject = { group, resource: info.resource }
  if ('problem' in found) {
    if (found.isMissing) throw notFound(subject, name)
    throw new ApiFailure({ code: 500, reason: '', message: found.problem })
  }
  const problem = escalationProblem(request, found.rules, resolver)
  if (problem !== undefined) throw forbidden(subject, binding.metadata.name ?? '', problem)
}

/** What the user would give without having it, in the server's words. */
function escalationProblem(
  { user, info }: AdmissionRequest,
  wanted: readonly PolicyRule[],
  resolver: RuleResolver,
): string | undefined {
  const held: PolicyRule[] = []
  const problems = resolver.visit(user, info.namespace, (rule) => {
    held.push(rule)
    return true
  })
  const missing = uncoveredRules(held, wanted)
  if (missing.length === 0) return undefined
  const text = `user ${quoteText(user.name)} (groups=${quoteList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`
  return problems.length === 0 ? text : `${text}; resolution errors: [${problems.join(' ')}]`
}

/** The garbage collector changes owners and finalizers of roles that it could never have created. */
function changesOnlyOwnership(object: ApiObject, old: StoredApiObject): boolean {
  const copy = deepCopy(object)
  const { ownerReferences, finalizers, managedFields } = deepCopy(old.metadata)
  Object.assign(copy.metadata, { ownerReferences, finalizers, managedFields })
  return deepEqual(copy, old)
}
