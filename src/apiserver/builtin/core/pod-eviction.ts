import type { Pod } from '../../../kinds/core/v1.js'
import type { Eviction, PodDisruptionBudget } from '../../../kinds/policy/v1.js'
import type { ApiObject } from '../../api-object.js'
import type { SystemDeleteOptions } from '../../cluster-state.js'
import { badRequest, invalid as invalidObject, notFound } from '../../failure.js'
import type { Answer, Call, Handler } from '../../resource.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { invalid } from '../field-errors.js'
import type { BuiltinOptions, WriteTarget } from '../kind-rules.js'
import { setPodCondition } from '../pod/pod-conditions.js'
import { guards, spendDisruption } from './disruption-budget.js'
import { success } from './pod-binding.js'

/** Deletes a pod if its disruption budget allows for it: what `kubectl drain` does. */
export function createEvictionHandler({ writer, cluster }: BuiltinOptions): Handler {
  return async (call): Promise<Answer> => {
    if (writer === undefined || call.body === undefined) throw badRequest('not a Eviction object')
    const eviction = viewOf<Eviction>(call.body)
    const { name, namespace } = call.info
    checkEviction(eviction, name)
    const isDryRun = call.isDryRun || (eviction.deleteOptions?.dryRun ?? []).length > 0
    const pod = cluster.get('pods', namespace, name)
    if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name)
    const of = (resource: string, targetName: string): WriteTarget => ({
      resource,
      namespace,
      name: targetName,
      user: call.user,
      isDryRun,
    })
    if (!isOverOrPending(viewOf<Pod>(pod))) {
      const [budget, ...others] = cluster
        .list('poddisruptionbudgets.policy', namespace)
        .filter((one) => guards(one, pod.metadata.labels ?? {}))
      if (others.length > 0) return { object: tooManyBudgets(), status: 500 }
      if (budget !== undefined && !isSpare(viewOf<Pod>(pod), viewOf<PodDisruptionBudget>(budget)))
        await writer.changeStatus(of('poddisruptionbudgets.policy', budget.metadata.name ?? ''), (draft) => {
          spendDisruption(draft, name, call.nature.timestamp())
        })
    }
    if (!isDryRun) await writer.change(of('pods', name), (draft) => announce(draft, call))
    await writer.delete(of('pods', name), deleteOptions(eviction))
    return { object: success() }
  }
}

function checkEviction({ metadata, deleteOptions: options }: View<Eviction>, name: string): void {
  if ((metadata?.name ?? '') !== name) throw badRequest('name in URL does not match name in Eviction object')
  if (options?.ignoreStoreReadErrorWithClusterBreakingPotential === true)
    throw invalidObject({ group: 'policy', resource: 'Eviction' }, name, [
      invalid(
        'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential',
        true,
        'can not be set for pod eviction, try after removing the option',
      ),
    ])
}

function tooManyBudgets(): ApiObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    code: 500,
  }
}

function deleteOptions({ deleteOptions: given }: View<Eviction>): SystemDeleteOptions {
  const { uid, resourceVersion } = given?.preconditions ?? {}
  const policy = given?.propagationPolicy
  return {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(given?.gracePeriodSeconds !== undefined && { gracePeriodSeconds: given.gracePeriodSeconds }),
    ...((policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') && {
      propagationPolicy: policy,
    }),
  }
}

/** Nobody is disturbed by the end of what does not run. */
function isOverOrPending({ metadata, status }: View<Pod>): boolean {
  return (
    metadata?.deletionTimestamp !== undefined ||
    ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '')
  )
}

/** A pod that is not ready does not count, if the budget says so or the others suffice. */
function isSpare({ status }: View<Pod>, { spec, status: state }: View<PodDisruptionBudget>): boolean {
  const isReady = (status?.conditions ?? []).some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  )
  if (isReady) return false
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const desired = state?.desiredHealthy ?? 0
  return desired > 0 && (state?.currentHealthy ?? 0) >= desired
}

function announce(draft: ApiObject, { nature }: Call): void {
  const pod = draftOf<Pod>(draft)
  setPodCondition(
    (pod.status ??= {}),
    {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    },
    nature.timestamp(),
  )
}
