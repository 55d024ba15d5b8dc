import { isPlainObject, LruMap } from '../../base/index.js'
import { quoteText } from '../../schema/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { ClusterState } from '../cluster-state.js'
import type { User } from '../user.js'
import { textOf } from './fields.js'
import { type PolicyRule, policyRules } from './policy-rule.js'

interface RoleRef {
  readonly kind: string
  readonly name: string
}

/** One binding as far as it concerns one subject. */
interface Grant {
  /** Of the binding, for the order of the answer. */
  readonly name: string
  readonly order: number
  readonly roleRef: RoleRef
  /** `ClusterRoleBinding "x" of ClusterRole "y" to User "z"`. */
  readonly source: string
}

/** What bindings give to subjects: by `u:name`, `g:group`, in the order of the bindings. */
type Grants = ReadonlyMap<string, readonly Grant[]>

/** Called with each rule that a user has and where it comes from, until it returns false. */
export type RuleVisitor = (rule: PolicyRule, source: string) => boolean

/** Finds the rules that users have. */
export interface RuleResolver {
  /** The problems on the way, in the server's words: roles that are not there. */
  visit(user: User, namespace: string, visitor: RuleVisitor): readonly string[]
  /** The rules of a role, or the problem that there is no such role. */
  rulesOf(
    roleRef: RoleRef,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[] } | { readonly problem: string; readonly isMissing: boolean }
}

/**
 * Reads roles and bindings from the cluster. Bindings are kept by their subjects and roles as parsed rules, for as long
 * as the stored objects stay the same.
 */
export function createRuleResolver(cluster: ClusterState): RuleResolver {
  const clusterGrants = cachedGrants(cluster, 'clusterrolebindings.rbac.authorization.k8s.io')
  const namespaceGrants = new Map<string, () => Grants>()
  // Holds on to the stored objects: one that nobody holds is parsed anew with every look.
  const rulesByRole = new LruMap<string, { role: StoredApiObject; rules: readonly PolicyRule[] }>(10_000)

  const grantsIn = (namespace: string): Grants => {
    let grants = namespaceGrants.get(namespace)
    if (grants === undefined) {
      // Bounded by use: a namespace that is asked for but has no bindings costs an entry, so the map starts anew.
      if (namespaceGrants.size >= 10_000) namespaceGrants.clear()
      grants = cachedGrants(cluster, 'rolebindings.rbac.authorization.k8s.io', namespace)
      namespaceGrants.set(namespace, grants)
    }
    return grants()
  }

  const rulesOf: RuleResolver['rulesOf'] = ({ kind, name }, namespace) => {
    if (kind !== 'Role' && kind !== 'ClusterRole')
      return { problem: `unsupported role reference kind: ${quoteText(kind)}`, isMissing: false }
    const plural = kind === 'Role' ? 'roles' : 'clusterroles'
    const role = cluster.get(`${plural}.rbac.authorization.k8s.io`, kind === 'Role' ? namespace : '', name)
    if (role === undefined)
      return {
        problem: `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quoteText(name)} not found`,
        isMissing: true,
      }
    const key = `${kind}/${kind === 'Role' ? namespace : ''}/${name}`
    const known = rulesByRole.get(key)
    if (known?.role === role) return known
    const read = { role, rules: policyRules(role['rules']) }
    rulesByRole.set(key, read)
    return read
  }

  const visit: RuleResolver['visit'] = (user, namespace, visitor) => {
    const problems: string[] = []
    const visitGrants = (grants: Grants): boolean => {
      for (const grant of grantsOf(grants, user)) {
        const found = rulesOf(grant.roleRef, namespace)
        if ('problem' in found) {
          problems.push(found.problem)
          continue
        }
        for (const rule of found.rules) if (!visitor(rule, grant.source)) return false
      }
      return true
    }
    if (visitGrants(clusterGrants()) && namespace !== '') visitGrants(grantsIn(namespace))
    return problems
  }
  return { visit, rulesOf }
}

/** Those of a user, each binding once, in the order of the bindings. */
function grantsOf(grants: Grants, user: User): readonly Grant[] {
  const keys = [`u:${user.name}`, ...user.groups.map((group) => `g:${group}`)]
  const lists = keys.flatMap((key) => grants.get(key) ?? [])
  if (lists.length < 2) return lists
  const first = new Map<string, Grant>()
  for (const grant of lists) {
    const known = first.get(grant.name)
    if (known === undefined || grant.order < known.order) first.set(grant.name, grant)
  }
  return [...first.values()].sort((left, right) => left.order - right.order)
}

/** The index of the bindings of a resource, made anew when one of them has changed. */
function cachedGrants(cluster: ClusterState, resource: string, namespace?: string): () => Grants {
  let bindings: readonly StoredApiObject[] = []
  let version: number | undefined
  let grants: Grants = new Map()
  return () => {
    const now = cluster.versionOf?.(resource)
    if (now !== undefined && now === version) return grants
    version = now
    const listed = cluster.list(resource, namespace)
    const isSame =
      listed.length === bindings.length && listed.every((each, index) => each === bindings[index])
    if (!isSame) {
      bindings = listed
      grants = indexGrants(listed, namespace ?? '')
    }
    return grants
  }
}

function indexGrants(bindings: readonly StoredApiObject[], namespace: string): Grants {
  const grants = new Map<string, Grant[]>()
  let order = 0
  for (const binding of bindings) {
    const roleRef = binding['roleRef']
    const subjects = binding['subjects']
    if (!isPlainObject(roleRef) || !Array.isArray(subjects)) continue
    const role = { kind: textOf(roleRef['kind']), name: textOf(roleRef['name']) }
    const name = binding.metadata.name ?? ''
    const title =
      namespace === ''
        ? `ClusterRoleBinding ${quoteText(name)}`
        : `RoleBinding ${quoteText(`${name}/${namespace}`)}`
    for (const subject of subjects) {
      const read = isPlainObject(subject) ? readSubject(subject, namespace) : undefined
      if (read === undefined) continue
      const list = grants.get(read.key) ?? []
      list.push({
        name,
        order: order++,
        roleRef: role,
        source: `${title} of ${role.kind} ${quoteText(role.name)} to ${read.description}`,
      })
      grants.set(read.key, list)
    }
  }
  return grants
}

function readSubject(
  subject: Readonly<Record<string, unknown>>,
  bindingNamespace: string,
): { readonly key: string; readonly description: string } | undefined {
  const kind = subject['kind']
  const name = textOf(subject['name'])
  switch (kind) {
    case 'User':
      return { key: `u:${name}`, description: `User ${quoteText(name)}` }
    case 'Group':
      return { key: `g:${name}`, description: `Group ${quoteText(name)}` }
    case 'ServiceAccount': {
      const own = subject['namespace']
      const namespace = typeof own === 'string' && own !== '' ? own : bindingNamespace
      if (namespace === '') return undefined
      return {
        key: `u:system:serviceaccount:${namespace}:${name}`,
        description: `ServiceAccount ${quoteText(`${name}/${namespace}`)}`,
      }
    }
    default:
      return undefined
  }
}
