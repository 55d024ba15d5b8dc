import { type Clock, type DeepReadonly, KubewrightError } from '../base/index.js'
import type { IndexFunction } from '../cache/index.js'
import {
  type AnyKind,
  type KubeObject,
  type ObjectKey,
  type ObjectOf,
  resourceNameOf,
} from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import type { RateLimiter } from '../queue/index.js'
import {
  type Access,
  type OwnedAccess,
  ownedAccess,
  type PrimaryAccess,
  primaryAccess,
  type WatchedAccess,
  watchedAccess,
} from './access.js'
import type { Cause } from './cause.js'
import type { ControllerCache } from './controller-cache.js'
import type { ControllerClient } from './controller-client.js'
import type { ObjectEvents } from './events/event-recorder.js'
import type { Outcome } from './outcome.js'
import type { Predicate } from './predicate.js'
import type { Watch } from './trigger.js'

/** What a reconcile is given besides the object. */
export interface ReconcileContext<A extends Access = Access, C extends AnyKind = AnyKind> {
  /** Which object this run is about. */
  readonly request: ObjectKey
  readonly cache: ControllerCache<C>
  readonly client: ControllerClient<A>
  /** Tells people what happened, as Kubernetes Events of the object. Never blocks, never throws. */
  readonly events: ObjectEvents
  readonly log: Logger
  /** Aborts when the run times out, the process stops or leadership is lost. Pass it to whatever you wait for. */
  readonly signal: AbortSignal
  /** Why this run happens. Use it to tell people, never to decide what to do: events may be missed. */
  readonly causes: readonly Cause[]
  /** The time that the controller itself goes by: a test's own, in a test. */
  readonly clock: Clock
}

type Reconcile<K extends AnyKind, A extends Access, C extends AnyKind, Returned> = (
  object: DeepReadonly<ObjectOf<K>>,
  context: ReconcileContext<A, C>,
) => Promise<Returned> | Returned

type AccessOf<F extends AnyKind, O extends AnyKind, W extends AnyKind, U extends Access> =
  | PrimaryAccess<F>
  | OwnedAccess<O>
  | WatchedAccess<W>
  | U

export interface ControllerOptions<
  F extends AnyKind,
  O extends AnyKind,
  W extends AnyKind,
  U extends Access,
> {
  /** For logs, metrics and the console; the kind in lower case unless said otherwise. Unique within an operator. */
  readonly name?: string
  /** The kind whose objects are reconciled. */
  readonly for: F
  /** Kinds whose objects this controller makes: a change to one wakes the object that controls it. */
  readonly owns?: readonly O[]
  /** Other kinds to follow, each with a function from its objects to the ones to run for. */
  readonly watches?: readonly Watch<W>[]
  /** What else the controller does: `access(Secret, 'get', 'create')`. */
  readonly uses?: readonly U[]
  /** Which events of the `for` kind are worth a run; all unless said otherwise. */
  readonly when?: Predicate<ObjectOf<F>>
  /** Indexes over the `for` kind, for `cache.byIndex`. */
  readonly indexes?: Readonly<Record<string, IndexFunction<ObjectOf<F>>>>
  /** How many objects are reconciled at once. One object never is by two. Default 1. */
  readonly workers?: number
  /** A run longer than this is told to stop through its signal, and may not write any more. Default: no limit. */
  readonly timeoutMs?: number
  /** How retries are spaced; the default is 5 ms to 1000 s, doubling, each object for itself. */
  readonly rateLimiter?: RateLimiter
  /** Run on every replica, not only on the leader. */
  readonly onEveryReplica?: boolean
  /** The finalizer that `finalize` puts on; `<plural>.<group>/finalizer` unless said otherwise. */
  readonly finalizer?: string
  /**
   * Brings the world to what the object says. Called with the object as it is in the cache; not called when it is gone
   * or being deleted. Must be safe to repeat at any point. A throw means: try again later.
   */
  reconcile: Reconcile<F, AccessOf<F, O, W, U>, F | O | W, Outcome | void>
  /**
   * Cleans up what owner references cannot, before the object goes. While this is defined, the object carries the
   * finalizer; it is taken off when this returns. Must be safe to repeat.
   */
  finalize?: Reconcile<F, AccessOf<F, O, W, U>, F | O | W, Outcome | void>
}

/** A controller as plain data: what it follows, what it may do, and what it does. Nothing runs yet. */
export interface ControllerDefinition {
  readonly name: string
  readonly for: AnyKind
  readonly owns: readonly AnyKind[]
  readonly watches: readonly Watch[]
  /** Everything it may do: the source of its client's limits and of its Role. */
  readonly accesses: readonly Access[]
  readonly when: Predicate | undefined
  readonly indexes: Readonly<Record<string, IndexFunction<KubeObject>>> | undefined
  readonly workers: number
  readonly timeoutMs: number | undefined
  readonly rateLimiter: RateLimiter | undefined
  readonly onEveryReplica: boolean
  readonly finalizer: string
  readonly reconcile: Reconcile<AnyKind, Access, AnyKind, unknown>
  readonly finalize: Reconcile<AnyKind, Access, AnyKind, unknown> | undefined
}

/** A controller cannot be what its options say. */
export class InvalidControllerError extends KubewrightError {
  constructor(name: string, problem: string) {
    super(`The controller ${name}: ${problem}`, { code: 'KW_INVALID_CONTROLLER' })
  }
}

const validName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Describes a controller. Throws {@link InvalidControllerError} for options that cannot work. */
export function defineController<
  const F extends AnyKind,
  const O extends AnyKind = never,
  const W extends AnyKind = never,
  const U extends Access = never,
>(options: ControllerOptions<F, O, W, U>): ControllerDefinition {
  const { for: primary, owns = [], watches = [], uses = [], workers = 1, timeoutMs } = options
  const name = options.name ?? primary.kind.toLowerCase()
  const fail = (problem: string): never => {
    throw new InvalidControllerError(name, problem)
  }
  if (!validName.test(name))
    fail('its name must be lower case letters, digits and dashes, at most 63; set "name".')
  if (!Number.isInteger(workers) || workers < 1)
    fail(`workers is ${workers}: give a whole number of at least 1.`)
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    fail(`timeoutMs is ${timeoutMs}: give a positive number of milliseconds, or leave it out for no limit.`)
  }
  for (const owned of owns) {
    if (owned.scope === 'Cluster' && primary.scope === 'Namespaced') {
      fail(
        `it owns ${resourceNameOf(owned)}, which is cluster-scoped, but ${primary.kind} lives in namespaces: ` +
          'the garbage collector does not allow that. Use "watches" and clean up in "finalize".',
      )
    }
  }
  // Types end here: what follows is data about any kind. The informers feed each function objects of its own kind only.
  return {
    name,
    for: primary,
    owns,
    watches,
    accesses: [
      ...primaryAccess(primary, options.finalize !== undefined),
      ...owns.map(ownedAccess),
      ...watches.map(({ kind }) => watchedAccess(kind)),
      ...uses,
    ],
    when: options.when as Predicate | undefined,
    indexes: options.indexes as unknown as ControllerDefinition['indexes'],
    workers,
    timeoutMs,
    rateLimiter: options.rateLimiter,
    onEveryReplica: options.onEveryReplica ?? false,
    finalizer: options.finalizer ?? `${resourceNameOf(primary)}/finalizer`,
    reconcile: options.reconcile,
    finalize: options.finalize,
  }
}
