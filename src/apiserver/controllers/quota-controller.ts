import { deepCopy, deepEqual } from '../../base/index.js'
import type { ResourceQuota } from '../../kinds/core/v1.js'
import type { Logger } from '../../observe/index.js'
import { type View, viewOf } from '../builtin/draft.js'
import type { Nature, SystemClient } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import { evaluatorOf, trackedResources } from '../quota/evaluator.js'
import { isInScope } from '../quota/matching-quota.js'
import { addUsage, amountsOf, isSameUsage, pickUsage, type Usage, usageOf } from '../quota/usage.js'
import type { StoreEvent } from '../store/store.js'
import { WorkQueue } from './work-queue.js'

export interface QuotaControllerOptions {
  readonly system: SystemClient
  readonly nature: Nature
  readonly log: Logger
}

/** How often all is counted anew: what was charged and then not written shows then at the latest. */
const resyncMs = 300_000

/** Counts what each quota limits, when the quota changes and when something becomes less: admission counts what is new. */
export class QuotaController {
  readonly #options: QuotaControllerOptions
  readonly #queue: WorkQueue
  readonly #unsubscribe: () => void
  /** Quotas by namespace: most changes are in one that has none. */
  readonly #quotas = new Map<string, Set<string>>()

  constructor(options: QuotaControllerOptions) {
    this.#options = options
    const { system, nature, log } = options
    this.#queue = new WorkQueue({ name: 'The quotas', nature, log, work: (key) => this.#count(key) })
    this.#unsubscribe = system.onChange((event) => this.#onChange(event))
  }

  /** Counts for the quotas that are there. */
  begin(): void {
    for (const { metadata } of this.#options.system.list('resourcequotas'))
      this.#watch(`${metadata.namespace}/${metadata.name}`)
  }

  stop(): void {
    this.#unsubscribe()
    this.#queue.stop()
  }

  #watch(key: string): void {
    const namespace = namespaceOf(key)
    this.#quotas.set(namespace, (this.#quotas.get(namespace) ?? new Set()).add(key))
    this.#queue.add(key)
  }

  #onChange(event: StoreEvent): void {
    const { type, resource, key } = event
    if (resource === 'resourcequotas') {
      if (type === 'deleted') this.#quotas.get(namespaceOf(key))?.delete(key)
      // Its status is what we write, and admission: to count after each would take back what is just being written.
      else if (hasNewSpec(event)) this.#watch(key)
    }
    const quotas = this.#quotas.get(namespaceOf(key))
    if (quotas === undefined || quotas.size === 0 || type === 'added') return
    if (type === 'deleted' || this.#usesOther(event)) for (const quota of quotas) this.#queue.add(quota)
  }

  /** Whether a change is one of what quotas count. */
  #usesOther({ resource, current, previous }: StoreEvent): boolean {
    const evaluator = evaluatorOf(resource)
    if (evaluator === undefined || previous === undefined) return false
    const nowMs = this.#options.nature.clock.now()
    return !isSameUsage(evaluator.usage(current.object, nowMs), evaluator.usage(previous.object, nowMs))
  }

  async #count(key: string): Promise<void> {
    const { system } = this.#options
    const namespace = namespaceOf(key)
    const stored = system.get('resourcequotas', namespace, key.slice(namespace.length + 1))
    if (stored === undefined) return
    const quota = viewOf<ResourceQuota>(stored)
    const { spec, status } = quota
    const hard = usageOf(spec?.hard)
    // What nobody can count any more stays as it was.
    const known = new Map([...usageOf(status?.used), ...this.#usageFor(quota, namespace)])
    const used = pickUsage(known, (name) => hard.has(name))
    this.#queue.addAfter(key, resyncMs)
    const isKnown = status?.hard !== undefined && status.used !== undefined
    if (isKnown && deepEqual(spec?.hard, status.hard) && isSameUsage(used, usageOf(status.used))) return
    const now = { hard: amountsOf(hard), used: amountsOf(used) }
    try {
      await system.update('resourcequotas', { ...deepCopy(stored), status: now }, 'status')
    } catch (error) {
      // Gone meanwhile; whoever was quicker has woken us again.
      if (!(error instanceof ApiFailure && [404, 409].includes(error.status.code))) throw error
    }
  }

  #usageFor(quota: View<ResourceQuota>, namespace: string): Usage {
    const { system, nature } = this.#options
    const served = new Set(Array.from(system.resources(), ({ resource }) => resource))
    const names = Object.keys(quota.spec?.hard ?? {})
    let used: Usage = new Map()
    for (const resource of trackedResources(names)) {
      const evaluator = evaluatorOf(resource)
      if (evaluator === undefined || !served.has(resource)) continue
      const tracked = names.filter((name) => evaluator.tracks(name))
      used = addUsage(usageOf(Object.fromEntries(tracked.map((name) => [name, 0]))), used)
      for (const object of system.list(resource, namespace))
        if (isInScope(quota, object, evaluator))
          used = addUsage(used, evaluator.usage(object, nature.clock.now()))
    }
    return used
  }
}

function hasNewSpec({ current, previous }: StoreEvent): boolean {
  if (previous === undefined) return true
  const [now, before] = [current, previous].map(({ object }) => viewOf<ResourceQuota>(object).spec)
  return !deepEqual(now, before)
}

function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')))
}
