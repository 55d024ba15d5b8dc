import type { ApiObject } from '../api-object.js'
import { aggregateClusterRoles } from './aggregation.js'
import type { BindingRow, RoleRow, RuleRow } from './bootstrap-role-data.js'

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`

/**
 * The roles and bindings that a server creates for itself when it starts, cluster-wide ones first, with the rules of
 * gathering roles (admin, edit, view) filled in. New objects with every call. The data is loaded by the first.
 */
export async function bootstrapRoles(): Promise<readonly ApiObject[]> {
  const { roleRows, bindingRows } = await import('./bootstrap-role-data.js')
  const roles = roleRows.map(readRole)
  // Roles gather from gathering roles, admin from edit and edit from view: the last by name comes first.
  for (const role of roles.toReversed()) {
    const rules = aggregateClusterRoles(role, roles)
    if (rules !== undefined) role['rules'] = rules
  }
  return [...roles, ...bindingRows.map(readBinding)]
}

function metadataOf(namespace: string, name: string, into: readonly string[] = []): ApiObject['metadata'] {
  return {
    name,
    ...(namespace !== '' && { namespace }),
    labels: {
      'kubernetes.io/bootstrapping': 'rbac-defaults',
      ...Object.fromEntries(into.map((role) => [`${group}/aggregate-to-${role}`, 'true'])),
    },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  }
}

const names = (joined: string | undefined): string[] =>
  joined === undefined || joined === '' ? [] : joined.split(',')

function readRole([namespace, name, rules, into, from]: RoleRow): ApiObject {
  const sources = names(from)
  return {
    kind: namespace === '' ? 'ClusterRole' : 'Role',
    apiVersion,
    metadata: metadataOf(namespace, name, names(into)),
    rules: rules.map(readRule),
    ...(sources.length > 0 && {
      aggregationRule: {
        clusterRoleSelectors: sources.map((role) => ({
          matchLabels: { [`${group}/aggregate-to-${role}`]: 'true' },
        })),
      },
    }),
  }
}

function readRule([verbs, second, resources, resourceNames]: RuleRow): Record<string, string[]> {
  if (resources === undefined) return { verbs: verbs.split(','), nonResourceURLs: second.split(',') }
  return {
    verbs: verbs.split(','),
    apiGroups: second.split(','),
    resources: resources.split(','),
    ...(resourceNames !== undefined && { resourceNames: resourceNames.split(',') }),
  }
}

function readBinding([namespace, name, role, subjects]: BindingRow): ApiObject {
  const colon = role.indexOf(':')
  return {
    kind: namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding',
    apiVersion,
    metadata: metadataOf(namespace, name),
    ...(subjects.length > 0 && { subjects: subjects.map(readSubject) }),
    roleRef: { apiGroup: group, kind: role.slice(0, colon), name: role.slice(colon + 1) },
  }
}

function readSubject(text: string): Record<string, string> {
  const [kind = '', namespace = '', ...name] = text.split(':')
  return {
    kind,
    ...(kind !== 'ServiceAccount' && { apiGroup: group }),
    name: name.join(':'),
    ...(namespace !== '' && { namespace }),
  }
}
