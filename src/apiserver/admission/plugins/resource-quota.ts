import type { ResourceQuota } from '../../../kinds/core/v1.js'
import { compareQuantities, resourceNameOf } from '../../../objects/index.js'
import { type View, viewOf } from '../../builtin/draft.js'
import type { ObjectWriter } from '../../builtin/index.js'
import { ApiFailure } from '../../failure.js'
import { evaluatorOf } from '../../quota/evaluator.js'
import { isInScope } from '../../quota/matching-quota.js'
import { addUsage, amountsOf, growth, pickUsage, shownUsage, type Usage, usageOf } from '../../quota/usage.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { refused } from '../refusal.js'

/**
 * Charges what is written to the quotas of its namespace, and refuses what they have no room for. A quota counts once its
 * controller has seen it. What is charged and then not written is given back by the controller.
 */
export function createResourceQuota(writer: () => ObjectWriter): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    handles(request) {
      const { operation, namespace, info } = request
      if (operation !== 'CREATE' && operation !== 'UPDATE') return false
      if (namespace === '' || info.resource === 'namespaces') return false
      return evaluatorOf(resourceNameOf(request.resource))?.handles(request) === true
    },
    validate(request, context) {
      const quotas = context.cluster.list('resourcequotas', request.namespace)
      if (quotas.length === 0) return
      const charges = quotas.flatMap((quota) => {
        const charge = chargeFor(request, context, viewOf<ResourceQuota>(quota))
        if (charge === undefined || charge.size === 0) return []
        checkRoom(request, viewOf<ResourceQuota>(quota), charge)
        return [{ name: quota.metadata.name ?? '', charge }]
      })
      if (charges.length > 0 && !request.isDryRun) return chargeAll(writer(), request, charges)
    },
  }
}

interface Charge {
  readonly name: string
  readonly charge: Usage
}

async function chargeAll(
  writer: ObjectWriter,
  request: AdmissionRequest,
  charges: readonly Charge[],
): Promise<void> {
  const { namespace, user } = request
  for (const { name, charge } of charges) {
    try {
      await writer.changeStatus(
        { resource: 'resourcequotas', namespace, name, user, isDryRun: false },
        (draft) => {
          // Others may have been charged meanwhile.
          const quota = viewOf<ResourceQuota>(draft)
          checkRoom(request, quota, charge)
          const { hard = {}, used } = quota.status ?? {}
          draft['status'] = { hard, used: amountsOf(addUsage(usageOf(used), charge)) }
        },
      )
    } catch (error) {
      // A quota that has gone meanwhile limits nothing.
      if (!(error instanceof ApiFailure) || error.status.reason !== 'NotFound') throw error
    }
  }
}

/** How much more of what a quota limits would be used; undefined where it is not about such objects. Throws a 403. */
function chargeFor(
  request: AdmissionRequest,
  { nature }: AdmissionContext,
  quota: View<ResourceQuota>,
): Usage | undefined {
  const { object, oldObject } = request
  const evaluator = evaluatorOf(resourceNameOf(request.resource))
  if (object === undefined || evaluator === undefined) return undefined
  const { hard = {}, used = {} } = quota.status ?? {}
  const limited = Object.keys(hard).filter((name) => evaluator.tracks(name))
  if (limited.length === 0 || !isInScope(quota, object, evaluator)) return undefined
  const name = quota.metadata?.name ?? ''
  const problem = evaluator.problem?.(object, limited)
  if (problem !== undefined) throw refused(request, `failed quota: ${name}: ${problem}`)
  if (limited.some((each) => used[each] === undefined))
    throw refused(
      request,
      `status unknown for quota: ${name}, resources: ${[...limited].toSorted().join(',')}`,
    )
  const nowMs = nature.clock.now()
  const now = evaluator.usage(object, nowMs)
  refuseNegative(request, now)
  const isCharged = oldObject !== undefined && isInScope(quota, oldObject, evaluator)
  const more = isCharged ? growth(now, evaluator.usage(oldObject, nowMs)) : now
  return pickUsage(more, (each, amount) => hard[each] !== undefined && amount.nanos !== 0n)
}

function refuseNegative(request: AdmissionRequest, usage: Usage): void {
  const negative = [...pickUsage(usage, (_, amount) => amount.nanos < 0n).keys()]
  if (negative.length > 0)
    throw refused(request, `quota usage is negative for resource(s): ${negative.toSorted().join(',')}`)
}

function checkRoom(request: AdmissionRequest, quota: View<ResourceQuota>, charge: Usage): void {
  // What a status says has happened already.
  if (request.info.subresource === 'status') return
  const hard = usageOf(quota.status?.hard)
  const used = usageOf(quota.status?.used)
  const total = addUsage(used, charge)
  const exceeded = pickUsage(charge, (name) => {
    const most = hard.get(name)
    const sum = total.get(name)
    return most !== undefined && sum !== undefined && compareQuantities(sum, most) > 0
  })
  if (exceeded.size === 0) return
  const shown = (usage: Usage): string => shownUsage(pickUsage(usage, (name) => exceeded.has(name)))
  throw refused(
    request,
    `exceeded quota: ${quota.metadata?.name ?? ''}, requested: ${shown(charge)}, used: ${shown(used)}, limited: ${shown(hard)}`,
  )
}
