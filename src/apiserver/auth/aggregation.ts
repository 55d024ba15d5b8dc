import { deepEqual, isPlainObject } from '../../base/index.js'
import {
  type LabelSelector,
  LabelSelectorError,
  matchesLabels,
  parseLabelSelector,
} from '../../objects/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { SystemClient } from '../cluster-state.js'

const resource = 'clusterroles.rbac.authorization.k8s.io'

/**
 * The rules that a role gathers by its `aggregationRule` from the others, in their order by name; undefined for a role
 * that gathers nothing or whose selectors cannot be read.
 */
export function aggregateClusterRoles(
  role: StoredApiObject,
  roles: readonly StoredApiObject[],
): readonly unknown[] | undefined {
  const aggregation = role['aggregationRule']
  if (!isPlainObject(aggregation)) return undefined
  const selectors = aggregation['clusterRoleSelectors']
  const rules: unknown[] = []
  for (const selector of Array.isArray(selectors) ? selectors : []) {
    const matching = selectRoles(selector, roles)
    if (matching === undefined) return undefined
    for (const other of matching) {
      if (other.metadata.name === role.metadata.name) continue
      const theirs = other['rules']
      for (const rule of Array.isArray(theirs) ? theirs : []) {
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule)
      }
    }
  }
  return rules
}

function selectRoles(
  selector: unknown,
  roles: readonly StoredApiObject[],
): readonly StoredApiObject[] | undefined {
  try {
    // parseLabelSelector reads it as unknown data: what is not a selector is refused there.
    const requirements = parseLabelSelector(selector as LabelSelector)
    return roles
      .filter((each) => matchesLabels(requirements, each.metadata.labels))
      .toSorted((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1))
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined
    throw error
  }
}

/**
 * Keeps the rules of gathering roles up to date until the returned function is called. A role that cannot be written is
 * tried again with the next change of any role.
 *
 * @param options `isUpToDate`: they need no look before the first change
 */
export function startRoleAggregation(
  client: SystemClient,
  { isUpToDate = false }: { readonly isUpToDate?: boolean } = {},
): () => void {
  let isRunning = false
  let isDirty = false
  let isStopped = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (isDirty && !isStopped) {
      isDirty = false
      const roles = client.list(resource)
      for (const role of roles) {
        const rules = aggregateClusterRoles(role, roles)
        if (rules === undefined || deepEqual(rules, role['rules'] ?? [])) continue
        try {
          await client.apply(resource, {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRole',
            metadata: { name: role.metadata.name ?? '' },
            rules: [...rules],
          })
        } catch {
          // Somebody changed or deleted it in between: that change calls for the next round.
        }
      }
    }
    isRunning = false
  }
  const wake = (): void => {
    isDirty = true
    if (!isRunning && !isStopped) void run()
  }
  const stopListening = client.onChange((event) => {
    if (event.resource === resource) wake()
  })
  if (!isUpToDate) wake()
  return () => {
    isStopped = true
    stopListening()
  }
}
