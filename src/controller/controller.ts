import {
  abortReason,
  type Clock,
  isKubewrightError,
  systemClock,
  toError,
  yieldToEventLoop,
} from '../base/index.js'
import type {
  CachedObject,
  HandlerRegistration,
  InformerHandler,
  KindCache,
  SharedCache,
} from '../cache/index.js'
import type { Client } from '../client/index.js'
import {
  type AnyKind,
  formatKey,
  isConflict,
  type KubeObject,
  type ObjectKey,
  parseKey,
  resourceNameOf,
} from '../objects/index.js'
import { type Logger, silentLogger, silentTracer, type Tracer } from '../observe/index.js'
import {
  createPriorityQueue,
  type Lease,
  lowPriority,
  type RateLimitedQueue,
  type UnfinishedWork,
} from '../queue/index.js'
import { type Cause, CauseBook, causeOf, causeOfChange, describeCause } from './cause.js'
import { createControllerCache } from './controller-cache.js'
import { createControllerClient } from './controller-client.js'
import type { ControllerMetrics } from './controller-metrics.js'
import type { ControllerDefinition, ReconcileContext } from './define-controller.js'
import type { ObjectEvents } from './events/event-recorder.js'
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizer.js'
import { checkOutcome, type Outcome, settled } from './outcome.js'
import type { ObjectEvent, Predicate } from './predicate.js'
import { ReconcileTimeoutError, Run } from './run.js'
import { RunHistory, type RunRecord } from './run-history.js'
import { SelfWakeDetector } from './self-wake.js'
import { TerminalError } from './terminal-error.js'
import { controllingOwner, type Watch } from './trigger.js'

/** What a controller needs of the world. */
export interface ControllerEnvironment {
  readonly client: Client
  readonly cache: SharedCache
  readonly events: ObjectEvents
  readonly log?: Logger
  readonly clock?: Clock
  readonly tracer?: Tracer
  readonly metrics?: ControllerMetrics
  /** Throws when this process may not write any more, as when its lease has gone. Called before every write. */
  readonly assertMayWrite?: () => void
  /** How long running reconciles may go on after the stop before their signal aborts. */
  readonly drainMs?: number
  /** How many runs are remembered. */
  readonly historySize?: number
  readonly onRun?: (run: RunRecord) => void
}

/** A controller at work, or ready to. */
export interface Controller {
  readonly definition: ControllerDefinition
  /**
   * Follows its kinds and reconciles until the signal aborts; resolves when every run has ended. Needs the shared cache
   * to be running; the first run happens when all its kinds have been seen completely.
   */
  run(signal: AbortSignal): Promise<void>
  /** Asks for a run, for a reason outside the cluster. */
  wake(key: ObjectKey): void
  /** The last runs, oldest first. */
  readonly history: RunRecord[]
  /** Runs that have been told to stop and have not. Each holds its object's key until it ends. */
  readonly stuckRuns: number
  /** The ages of the keys that are being worked on. */
  readonly unfinishedWork: UnfinishedWork
}

const defaultDrainMs = 20_000
const defaultHistorySize = 200
// Short enough for leases and probes, long enough to be no cost.
const longestTurnMs = 10
const mostDetailedCauses = 1_000

/** Sets a controller up: its kinds are registered with the cache now, so that the cache can be warm before it runs. */
export function createController(
  definition: ControllerDefinition,
  environment: ControllerEnvironment,
): Controller {
  return new RunningController(definition, environment)
}

class RunningController implements Controller {
  readonly definition: ControllerDefinition
  readonly #environment: ControllerEnvironment
  readonly #log: Logger
  readonly #clock: Clock
  readonly #queue: RateLimitedQueue<string>
  readonly #primary: KindCache<KubeObject>
  readonly #cache: ReturnType<typeof createControllerCache>
  readonly #causes = new CauseBook()
  readonly #selfWakes = new SelfWakeDetector()
  readonly #history: RunHistory
  readonly #running = new Set<Run>()
  #runCount = 0
  #turn: Promise<void> | undefined

  constructor(definition: ControllerDefinition, environment: ControllerEnvironment) {
    this.definition = definition
    this.#environment = environment
    this.#clock = environment.clock ?? systemClock
    this.#log = (environment.log ?? silentLogger).with({ controller: definition.name })
    this.#history = new RunHistory(environment.historySize ?? defaultHistorySize)
    this.#queue = createPriorityQueue({
      clock: this.#clock,
      ...(definition.rateLimiter !== undefined && { limiter: definition.rateLimiter }),
      ...(environment.metrics !== undefined && { metrics: environment.metrics.queue }),
    })
    const { cache } = environment
    this.#primary = cache.of(definition.for, definition.indexes && { indexes: definition.indexes })
    const followed = [definition.for, ...definition.owns, ...definition.watches.map(({ kind }) => kind)]
    for (const kind of followed) cache.of(kind)
    this.#cache = createControllerCache(definition.name, cache, followed)
  }

  get history(): RunRecord[] {
    return this.#history.runs
  }

  get stuckRuns(): number {
    let stuck = 0
    for (const run of this.#running) if (run.isRevoked) stuck++
    return stuck
  }

  get unfinishedWork(): UnfinishedWork {
    return this.#queue.unfinishedWork()
  }

  wake(key: ObjectKey): void {
    this.#enqueue(formatKey(key), { type: 'external' })
  }

  async run(signal: AbortSignal): Promise<void> {
    const registrations = this.#follow()
    const stop = (): void => this.#queue.shutDown()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      await Promise.race([Promise.all(registrations.map(({ synced }) => synced)), untilAborted(signal)])
      const workers = signal.aborted ? 0 : this.definition.workers
      const work = Promise.all(Array.from({ length: workers }, () => this.#work(signal)))
      // Not until the workers have ended: each of them waits for its run, and a run may wait for its signal.
      await Promise.race([work, untilAborted(signal)])
      await this.#drain(signal)
      await work
    } finally {
      for (const registration of registrations) registration.remove()
    }
  }

  // ---- what wakes it ----

  #follow(): HandlerRegistration[] {
    const { cache } = this.#environment
    const { for: primary, owns, watches, when } = this.definition
    return [
      this.#primary.addHandler(this.#handler(primary, when, (cached) => [cached.key])),
      ...owns.map((kind) => {
        const ownerOf = (cached: CachedObject): string[] => {
          const owner = controllingOwner(primary, cached)
          return owner === undefined ? [] : [formatKey(owner)]
        }
        return cache.of(kind).addHandler(this.#handler(kind, undefined, ownerOf))
      }),
      ...watches.map((watch) =>
        cache
          .of(watch.kind)
          .addHandler(this.#handler(watch.kind, watch.when, (cached) => this.#mapped(watch, cached))),
      ),
    ]
  }

  /** Turns the events of a kind into keys of the primary kind, with their causes. */
  #handler(
    kind: AnyKind,
    when: Predicate | undefined,
    keysOf: (cached: CachedObject) => readonly string[],
  ): InformerHandler<KubeObject> {
    const isPrimary = kind === this.definition.for
    return {
      onAdd: (object, { initial }) => {
        if (!this.#passes(when, { type: 'add', object })) return
        const cause = causeOf(initial ? 'initial' : 'added', kind, object)
        for (const key of keysOf(object)) this.#wakeBy(object, key, cause, initial)
      },
      onUpdate: (old, object) => {
        if (!this.#passes(when, { type: 'update', old, object })) return
        const unchanged = old.resourceVersion === object.resourceVersion
        const cause = unchanged ? causeOf('resync', kind, object) : this.#causeOfChange(kind, old, object)
        // Whoever had it before wants to know too.
        const keys = isPrimary || unchanged ? keysOf(object) : new Set([...keysOf(old), ...keysOf(object)])
        for (const key of keys) this.#wakeBy(object, key, cause, unchanged)
      },
      onDelete: (last) => {
        if (isPrimary) {
          this.#queue.forget(last.key)
          this.#selfWakes.forget(last.key)
          return
        }
        if (!this.#passes(when, { type: 'delete', object: last })) return
        const cause = causeOf('deleted', kind, last)
        for (const key of keysOf(last)) this.#wakeBy(last, key, cause, false)
      },
    }
  }

  #causeOfChange(kind: AnyKind, old: CachedObject, current: CachedObject): Cause {
    // In a flood nobody looks at single fields, and the objects that a cause holds on to add up.
    return this.#queue.length > mostDetailedCauses
      ? causeOf('changed', kind, current)
      : causeOfChange(kind, old, current)
  }

  #passes(when: Predicate | undefined, event: ObjectEvent<KubeObject>): boolean {
    if (when === undefined) return true
    try {
      return when(event)
    } catch (error) {
      this.#log.error('A predicate threw; the event is let through.', {
        object: event.object.key,
        error: toError(error),
      })
      return true
    }
  }

  #mapped(watch: Watch, cached: CachedObject): string[] {
    try {
      return Array.from(watch.map(cached, { cache: this.#cache }), formatKey)
    } catch (error) {
      this.#log.error('The map function of a watch threw; nobody is woken by this event.', {
        object: `${resourceNameOf(watch.kind)} ${cached.key}`,
        error: toError(error),
      })
      return []
    }
  }

  #wakeBy(cached: CachedObject, key: string, cause: Cause, isEcho: boolean): void {
    if (!isEcho) this.#selfWakes.woken(key, cached.resourceVersion)
    this.#enqueue(key, cause, isEcho ? lowPriority : 0)
  }

  #enqueue(key: string, cause: Cause, priority = 0): void {
    this.#causes.add(key, cause)
    this.#queue.add(key, { priority })
  }

  // ---- what it does ----

  async #work(signal: AbortSignal): Promise<void> {
    // What is still ready at the stop stays undone: the next process begins with everything anyway.
    let turnSinceMs = this.#clock.monotonic()
    for (;;) {
      const isIdle = this.#queue.length === 0
      const lease = await this.#queue.get(signal)
      if (lease === undefined) return
      if (isIdle) turnSinceMs = this.#clock.monotonic()
      await this.#process(lease)
      // Runs that wait for nothing would follow each other within one turn of the event loop, thousands of them.
      if (this.#clock.monotonic() - turnSinceMs < longestTurnMs) continue
      await this.#nextTurn()
      turnSinceMs = this.#clock.monotonic()
    }
  }

  /** One for all workers: if each had a turn of its own, all of them together would be a long one. */
  #nextTurn(): Promise<void> {
    this.#turn ??= yieldToEventLoop().then(() => {
      this.#turn = undefined
    })
    return this.#turn
  }

  /** Resolves when the worker is free again, which for a run that ignores its time-out is before the run has ended. */
  async #process(lease: Lease<string>): Promise<void> {
    const { key } = lease
    const causes = this.#causes.take(key)
    if (!this.#primary.has(key)) {
      this.#queue.forget(key)
      lease.done()
      return
    }
    if (this.#selfWakes.begins(key)) this.#warnOfLoop(key, causes)
    const run = this.#begin(key, causes)
    const { tracer = silentTracer } = this.#environment
    const attributes = { controller: this.definition.name, object: key, reconcileID: run.id }
    const work = tracer
      .span('reconcile', attributes, () => this.#reconcile(run))
      .finally(() => {
        this.#running.delete(run)
        this.#environment.metrics?.activeWorkers(this.#running.size)
        run.end()
        this.#selfWakes.ended(key)
        lease.done()
      })
    try {
      const outcome = await (run.timedOut === undefined ? work : Promise.race([work, run.timedOut]))
      this.#onOutcome(run, outcome)
    } catch (error) {
      work.catch(() => {})
      this.#onFailure(run, toError(error), lease.priority)
    }
  }

  #begin(key: string, causes: readonly Cause[]): Run {
    const { name, timeoutMs } = this.definition
    const id = `${name}-${(++this.#runCount).toString(36)}`
    const run = new Run({ id, controller: name, key, causes, clock: this.#clock, timeoutMs })
    this.#running.add(run)
    this.#environment.metrics?.activeWorkers(this.#running.size)
    return run
  }

  async #reconcile(run: Run): Promise<Outcome> {
    const { definition } = this
    const { reconcile, finalize, finalizer } = definition
    const object = this.#primary.read(run.key)
    if (object === undefined) return settled()
    const context = this.#contextOf(run, parseKey(run.key))
    if (object.metadata.deletionTimestamp !== undefined) {
      // Without a finalizer of ours there is nothing to wait for: what the object owns is collected with it.
      if (finalize === undefined || !hasFinalizer(object, finalizer)) return settled()
      const outcome = checkOutcome(await finalize(object, context))
      if (outcome.kind !== 'settled') return outcome
      await removeFinalizer(context.client, definition.for, object, finalizer)
      // With its last finalizer the object went. The server answers as if it were still there.
      if (object.metadata.finalizers?.length === 1) this.#primary.deleted(run.key, object.metadata.uid)
      return outcome
    }
    if (finalize === undefined || hasFinalizer(object, finalizer))
      return checkOutcome(await reconcile(object, context))
    const held = await addFinalizer(context.client, definition.for, object, finalizer)
    return held === undefined ? settled() : checkOutcome(await reconcile(held, context))
  }

  #contextOf(run: Run, request: ObjectKey): ReconcileContext {
    const { client, events, assertMayWrite, cache } = this.#environment
    const { name, accesses, for: primary } = this.definition
    const log = this.#log
    return {
      request,
      cache: this.#cache,
      client: createControllerClient({
        controller: name,
        client,
        accesses,
        get signal() {
          return run.signal
        },
        beforeWrite: () => {
          run.assertMayWrite()
          assertMayWrite?.()
        },
        wrote: (kind, object) => {
          this.#selfWakes.wrote(run.key, object.metadata.resourceVersion)
          if (this.#isFollowed(kind)) cache.of(kind).wrote(object)
        },
        removed: (kind, key, uid) => {
          if (!this.#isFollowed(kind)) return
          const known = cache.of(kind)
          const gone = uid ?? known.getCached(key)?.uid
          if (gone !== undefined) known.deleted(key, gone)
        },
      }),
      events,
      // Most runs find nothing to do, and neither speak nor wait.
      get log() {
        return log.with({ [primary.kind]: run.key, reconcileID: run.id })
      },
      get signal() {
        return run.signal
      },
      causes: run.causes,
      clock: this.#clock,
    }
  }

  #isFollowed(kind: AnyKind): boolean {
    const { for: primary, owns, watches } = this.definition
    return kind === primary || owns.includes(kind) || watches.some((watch) => watch.kind === kind)
  }

  // ---- what follows from it ----

  #onOutcome(run: Run, outcome: Outcome): void {
    this.#queue.forget(run.key)
    if (outcome.kind === 'settled') {
      this.#record(run, 'settled')
      this.#environment.metrics?.reconciled('success', run.seconds)
      return
    }
    this.#record(run, 'again', { afterMs: outcome.afterMs })
    this.#environment.metrics?.reconciled('requeue_after', run.seconds)
    this.#causes.add(run.key, { type: 'again' })
    this.#queue.addAfter(run.key, outcome.afterMs)
  }

  #onFailure(run: Run, error: Error, priority: number): void {
    const { metrics } = this.#environment
    metrics?.reconciled('error', run.seconds)
    const log = this.#log.with({ [this.definition.for.kind]: run.key, reconcileID: run.id })
    if (error instanceof TerminalError) {
      metrics?.terminalError()
      this.#record(run, 'terminal', { error })
      this.#queue.forget(run.key)
      log.error('The reconcile failed for good; it runs again when something changes.', { error })
      return
    }
    const isTimeout = error instanceof ReconcileTimeoutError
    if (isTimeout) metrics?.timedOut()
    this.#record(run, isTimeout ? 'timed-out' : 'failed', { error })
    this.#causes.add(run.key, { type: 'retry' })
    this.#queue.addRateLimited(run.key, { priority })
    // A conflict is the ordinary way in which two writers meet, and the retry is the answer to it.
    if (isConflict(error)) log.debug('The object changed meanwhile; the reconcile runs again.', { error })
    else
      log.error('The reconcile failed; it will be tried again.', {
        error,
        retries: this.#queue.retries(run.key),
      })
  }

  #record(run: Run, result: RunRecord['result'], more: Pick<RunRecord, 'afterMs' | 'error'> = {}): void {
    const record: RunRecord = {
      id: run.id,
      controller: this.definition.name,
      key: run.key,
      causes: run.causes,
      startedAtMs: run.startedAtMs,
      durationMs: run.seconds * 1000,
      result,
      ...more,
    }
    this.#history.add(record)
    this.#environment.onRun?.(record)
  }

  #warnOfLoop(key: string, causes: readonly Cause[]): void {
    this.#log.warn(
      'The controller keeps waking itself: each of its runs writes something that causes the next. ' +
        'Write only what has changed, and no timestamps that change with every run.',
      { [this.definition.for.kind]: key, causes: causes.map(describeCause) },
    )
  }

  /** Lets running reconciles finish; aborts them when their time is up, or at once when leadership was lost. */
  async #drain(signal: AbortSignal): Promise<void> {
    const reason = abortReason(signal)
    const abortAll = (): void => {
      for (const run of this.#running) run.revoke(reason)
    }
    if (isKubewrightError(reason, 'KW_LEADERSHIP_LOST')) abortAll()
    const timer = this.#clock.setTimer(this.#environment.drainMs ?? defaultDrainMs, abortAll)
    await Promise.all(Array.from(this.#running, (run) => run.ended))
    timer.cancel()
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
