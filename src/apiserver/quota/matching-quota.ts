import type { ResourceQuota } from '../../kinds/core/v1.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { View } from '../builtin/draft.js'
import type { QuotaEvaluator, ScopeSelector } from './evaluator.js'

/** Whether an object is within all scopes of a quota; one without scopes is for all. */
export function isInScope(
  { spec }: View<ResourceQuota>,
  object: ApiObject | StoredApiObject,
  evaluator: QuotaEvaluator,
): boolean {
  const scopes: ScopeSelector[] = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ]
  return scopes.every((scope) => evaluator.isWithin?.(scope, object) === true)
}
