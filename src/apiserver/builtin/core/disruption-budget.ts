import type { PodDisruptionBudget } from '../../../kinds/policy/v1.js'
import { matchesLabels } from '../../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import { ApiFailure, forbidden } from '../../failure.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { selectorTerms } from '../workload-rules.js'

const mostDisruptedPods = 2000
const violation = "Cannot evict pod as it would violate the pod's disruption budget."
const subject = { group: 'policy', resource: 'poddisruptionbudget' }

/** Whether a budget is about pods with these labels. One without a selector, or with a wrong one, is about none. */
export function guards(budget: StoredApiObject, labels: Readonly<Record<string, string>>): boolean {
  const { selector } = viewOf<PodDisruptionBudget>(budget).spec ?? {}
  const terms = selector ? selectorTerms(selector) : undefined
  return terms !== undefined && matchesLabels(terms, labels)
}

/** Takes one disruption from a budget, for the pod of this name. Throws ApiFailure, mostly 429, if there is none left. */
export function spendDisruption(budget: ApiObject, podName: string, now: string): void {
  const { metadata, status = {} } = draftOf<PodDisruptionBudget>(budget)
  const name = metadata?.name ?? ''
  const allowed = status.disruptionsAllowed ?? 0
  if ((status.observedGeneration ?? 0) < (metadata?.generation ?? 0))
    throw refusal(`The disruption budget ${name} is still being processed by the server.`, 10)
  if (allowed < 0) throw forbidden(subject, name, 'pdb disruptions allowed is negative')
  if (Object.keys(status.disruptedPods ?? {}).length > mostDisruptedPods)
    throw forbidden(
      subject,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    )
  if (allowed === 0) throw refusal(whyNone(name, viewOf<PodDisruptionBudget>(budget)), 0)
  status.disruptionsAllowed = allowed - 1
  if (allowed === 1) noteInsufficiency(status, metadata?.generation ?? 0, now)
  status.disruptedPods = { ...status.disruptedPods, [podName]: now }
  budget['status'] = status
}

function refusal(cause: string, retryAfterSeconds: number): ApiFailure {
  return new ApiFailure({
    code: 429,
    reason: 'TooManyRequests',
    message: violation,
    details: {
      causes: [{ reason: 'DisruptionBudget', message: cause }],
      ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
    },
    headers: retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds) } : {},
  })
}

function whyNone(name: string, { status }: View<PodDisruptionBudget>): string {
  const desired = status?.desiredHealthy ?? 0
  const current = status?.currentHealthy ?? 0
  const condition = (status?.conditions ?? []).find(({ type }) => type === 'DisruptionAllowed')
  const message = condition?.message ?? ''
  const isFalse = condition?.status === 'False' && message !== ''
  if (isFalse && condition?.reason === 'SyncFailed')
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`
  if (current <= desired)
    return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`
  const why = isFalse ? ` (${condition?.reason ?? ''}): ${message}` : ''
  return `The disruption budget ${name} does not allow evicting pods currently${why}`
}

function noteInsufficiency(
  status: NonNullable<ReturnType<typeof draftOf<PodDisruptionBudget>>['status']>,
  observedGeneration: number,
  now: string,
): void {
  const conditions = (status.conditions ??= [])
  const old = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const next = {
    type: 'DisruptionAllowed',
    status: 'False' as const,
    observedGeneration,
    lastTransitionTime: old?.status === 'False' ? old.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  }
  if (old === undefined) conditions.push(next)
  else conditions[conditions.indexOf(old)] = next
}
