import type { ClusterState } from '../cluster-state.js'
import { mastersGroup } from '../user.js'
import type { Authorizer } from './authorizer.js'
import { ruleAllows } from './policy-rule.js'
import { createRuleResolver, type RuleResolver } from './rule-resolver.js'

/**
 * Decides by the roles and bindings that are stored. Members of `system:masters` may do everything. The resolver may be
 * given to be shared with those who ask for rules, the reviews and the guard against escalation.
 */
export function createRbacAuthorizer(
  cluster: ClusterState,
  resolver: RuleResolver = createRuleResolver(cluster),
): Authorizer {
  return ({ user, info }) => {
    if (user.groups.includes(mastersGroup)) return { isAllowed: true, reason: '' }
    let reason: string | undefined
    const problems = resolver.visit(user, info.namespace, (rule, source) => {
      if (!ruleAllows(rule, info)) return true
      reason = `RBAC: allowed by ${source}`
      return false
    })
    if (reason !== undefined) return { isAllowed: true, reason }
    return { isAllowed: false, reason: problems.length === 0 ? '' : `RBAC: ${aggregate(problems)}` }
  }
}

/** Several problems as one text: each once, in brackets when there is more than one. */
export function aggregate(problems: readonly string[]): string {
  const distinct = [...new Set(problems)]
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`
}
