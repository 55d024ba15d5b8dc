import { type Backoff, createBackoff, deepCopy, type Timer, toError } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature, SystemClient } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import type { StoreEvent } from '../store/store.js'
import type { CustomResources } from './custom-resources.js'
import {
  type Crd,
  type CrdStatus,
  cleanupFinalizer,
  crdOf,
  crdResourceName,
  isConditionTrue,
} from './definition.js'
import type { LoadedEngines } from './definition-strategy.js'
import { acceptedNamesStatus, approvalStatus, establishedStatus, withCondition } from './status.js'

export interface CrdControllerOptions {
  readonly system: SystemClient
  readonly nature: Nature
  readonly engines: LoadedEngines
  readonly resources: CustomResources
  readonly log: Logger
}

/** What brings CRDs to life and to their end. */
export interface CrdController {
  /** Resolves when everything that was there at the start is served. Never rejects. */
  readonly ready: Promise<void>
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>
  /** Ends it; resolves when it has stopped. */
  stop(): Promise<void>
}

// As long as an object's finalizers hold it, its CRD waits for the change that lets it go; this is for what is missed.
const retry = { initialMs: 1_000, maxMs: 60_000, factor: 2, jitter: 0.1 } as const

/**
 * Follows the CRDs of a server: accepts their names, establishes them, serves what they define, and deletes the objects
 * of a CRD before it goes. A resource is served before the condition says so: whoever sees it may use it.
 */
export function createCrdController(options: CrdControllerOptions): CrdController {
  return new Controller(options)
}

class Controller implements CrdController {
  readonly ready: Promise<void>
  readonly #options: CrdControllerOptions
  readonly #ending = new AbortController()
  /** As they are stored now. */
  readonly #crds = new Map<string, Crd>()
  readonly #waiting = new Set<string>()
  readonly #backoffs = new Map<string, Backoff>()
  readonly #timers = new Set<Timer>()
  readonly #unsubscribe: () => void
  #working: Promise<void> | undefined

  constructor(options: CrdControllerOptions) {
    this.#options = options
    this.#unsubscribe = options.system.onChange((event) => this.#follow(event))
    for (const stored of options.system.list(crdResourceName)) {
      const name = stored.metadata.name ?? ''
      this.#crds.set(name, crdOf(stored))
      this.#waiting.add(name)
    }
    if (this.#waiting.size > 0) this.#start()
    this.ready = this.settled()
  }

  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#ending.abort()
    for (const timer of this.#timers) timer.cancel()
    await this.settled()
  }

  #follow({ type, resource, key, current }: StoreEvent): void {
    if (resource === crdResourceName) {
      const crd = crdOf(current.object)
      if (type === 'deleted') {
        this.#crds.delete(key)
        this.#options.resources.remove(key)
      } else {
        this.#crds.set(key, crd)
        this.#serve(crd)
      }
      this.#wakeGroup(crd.spec.group)
      this.#enqueue(key)
    } else if (type === 'deleted' && this.#crds.get(resource)?.metadata.deletionTimestamp !== undefined) {
      // Perhaps the last object that its CRD waits for.
      this.#enqueue(resource)
    }
  }

  /** Without the engines nothing can be judged; they are there before the first CRD is accepted. */
  #serve(crd: Crd): void {
    const { engines, resources } = this.#options
    if (engines.current !== undefined) resources.put(crd, revisionOf(crd), engines.current)
  }

  /** Names that one CRD gives up may be what another has been waiting for. */
  #wakeGroup(group: string): void {
    for (const [name, crd] of this.#crds)
      if (crd.spec.group === group && !isConditionTrue(crd, 'NamesAccepted')) this.#waiting.add(name)
  }

  #enqueue(name: string): void {
    this.#waiting.add(name)
    this.#start()
  }

  #start(): void {
    if (this.#ending.signal.aborted || this.#working !== undefined) return
    this.#working = this.#work().finally(() => {
      this.#working = undefined
      if (this.#waiting.size > 0) this.#start()
    })
  }

  async #work(): Promise<void> {
    for (const name of this.#waiting) {
      if (this.#ending.signal.aborted) return
      this.#waiting.delete(name)
      try {
        await this.#reconcile(name)
        this.#backoffs.delete(name)
      } catch (error) {
        if (this.#ending.signal.aborted || isPassing(error)) continue
        this.#options.log.warn('a CustomResourceDefinition could not be brought up to date', {
          crd: name,
          error: toError(error),
        })
        this.#retryLater(name)
      }
    }
  }

  #retryLater(name: string): void {
    const { clock, random } = this.#options.nature
    const backoff = this.#backoffs.get(name) ?? createBackoff({ ...retry, random })
    this.#backoffs.set(name, backoff)
    const timer = clock.setTimer(
      backoff.next(clock.monotonic()),
      () => {
        this.#timers.delete(timer)
        this.#enqueue(name)
      },
      { background: true },
    )
    this.#timers.add(timer)
  }

  async #reconcile(name: string): Promise<void> {
    const { engines, nature } = this.#options
    await engines.load()
    const steps = [
      (crd: Crd) => acceptedNamesStatus(crd, this.#crds.values(), nature.timestamp()),
      (crd: Crd) => approvalStatus(crd, nature.timestamp()),
      (crd: Crd) => establishedStatus(crd, nature.timestamp()),
    ]
    for (const step of steps) {
      const crd = this.#crds.get(name)
      const status = crd === undefined ? undefined : step(crd)
      if (crd !== undefined && status !== undefined) await this.#updateStatus(crd, status)
    }
    const crd = this.#crds.get(name)
    if (crd === undefined) return
    this.#serve(crd)
    const { deletionTimestamp, finalizers = [] } = crd.metadata
    if (deletionTimestamp !== undefined && finalizers.includes(cleanupFinalizer)) await this.#finalize(crd)
  }

  async #updateStatus(crd: Crd, status: CrdStatus, change?: (draft: ApiObject) => void): Promise<Crd> {
    const draft: ApiObject = deepCopy(crd)
    draft['status'] = status
    change?.(draft)
    return crdOf(await this.#options.system.update(crdResourceName, draft, 'status'))
  }

  /** Deletes the objects of a CRD that is being deleted, and lets it go when they are gone. */
  async #finalize(crd: Crd): Promise<void> {
    const now = this.#options.nature.timestamp()
    const name = crd.metadata.name ?? ''
    if (!isConditionTrue(crd, 'Established')) return this.#release(crd, neverEstablished)
    const current = await this.#say(crd, inProgress, now)
    const problem = await this.#deleteObjects(name)
    if (problem !== undefined) {
      await this.#say(current, { ...deletionFailed, message: `could not issue all deletes: ${problem}` }, now)
      throw new Error(problem)
    }
    // Those that finalizers hold will go one by one; the last one brings us back here.
    if (this.#options.system.list(name).length > 0) return
    await this.#release(current, completed)
  }

  async #say(crd: Crd, condition: Terminating, now: string): Promise<Crd> {
    const status = withCondition(crd.status, { type: 'Terminating', ...condition }, now)
    const known = crd.status.conditions?.find(({ type }) => type === 'Terminating')
    if (known?.reason === condition.reason && known.message === condition.message) return crd
    return this.#updateStatus(crd, status)
  }

  async #release(crd: Crd, condition: Terminating): Promise<void> {
    const now = this.#options.nature.timestamp()
    const status = withCondition(crd.status, { type: 'Terminating', ...condition }, now)
    await this.#updateStatus(crd, status, ({ metadata }) => {
      metadata.finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer)
    })
  }

  async #deleteObjects(resource: string): Promise<string | undefined> {
    const { system } = this.#options
    const problems: string[] = []
    for (const { metadata } of system.list(resource)) {
      if (metadata.deletionTimestamp !== undefined) continue
      try {
        await system.delete(resource, metadata.namespace ?? '', metadata.name ?? '')
      } catch (error) {
        if (!isGone(error)) problems.push(toError(error).message)
      }
    }
    if (problems.length === 0) return undefined
    return problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`
  }
}

interface Terminating {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

const inProgress: Terminating = {
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
}
const completed: Terminating = {
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
}
const neverEstablished: Terminating = {
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
}
const deletionFailed = { status: 'True', reason: 'InstanceDeletionFailed' } as const

function revisionOf({ metadata }: StoredApiObject): number {
  return Number(metadata.resourceVersion ?? 0)
}

function codeOf(error: unknown): number | undefined {
  return error instanceof ApiFailure ? error.status.code : undefined
}

function isGone(error: unknown): boolean {
  return codeOf(error) === 404
}

/** Somebody was quicker: the change that he made brings us back. */
function isPassing(error: unknown): boolean {
  return isGone(error) || codeOf(error) === 409
}
