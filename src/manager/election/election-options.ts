import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, type Random, systemClock } from '../../base/index.js'
import type { Client } from '../../client/index.js'
import type { Lease } from '../../kinds/coordination.k8s.io/v1.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { InvalidElectionOptionsError } from './election-errors.js'

/** Something that people want to know about an election. */
export type ElectionEvent =
  /** To be recorded on the lease as the event "LeaderElection": `<identity> became leader`. */
  | { readonly type: 'became-leader'; readonly identity: string; readonly lease: Lease }
  /** `<identity> stopped leading`. */
  | { readonly type: 'stopped-leading'; readonly identity: string; readonly lease: Lease }
  /** Somebody holds the lease who did not hold it before, this process included. */
  | { readonly type: 'new-leader'; readonly identity: string }

/** What an election counts. Must be quick and must not throw. */
export interface ElectionMetrics {
  /** `leader_election_master_status{name}`: 1 or 0. */
  leading(isLeading: boolean): void
  /** `leader_election_slowpath_total{name}`: a renewal needed a look at the lease first. */
  slowPath(): void
}

export interface LeaderElectorOptions {
  /**
   * A client of its own: renewals must not queue behind other requests for a rate limit, nor be fenced by the election that
   * they decide.
   */
  readonly client: Client
  readonly lease: { readonly namespace: string; readonly name: string }
  /** Unique for each process. Default: the host's name and a random part. */
  readonly identity?: string
  /** How long others wait after the last renewal that they saw, before they take over: 15 seconds. */
  readonly leaseDurationMs?: number
  /** How long after the last renewal this process still leads: 10 seconds. Shorter than the lease. */
  readonly renewDeadlineMs?: number
  /** Time between renewals, and between tries: 2 seconds. */
  readonly retryPeriodMs?: number
  /**
   * Hand the lease back when the work has ended, so that another may lead at once. On by default, because it happens only
   * after everything under the lease has ended.
   */
  readonly releaseOnCancel?: boolean
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Logger
  readonly metrics?: ElectionMetrics
  readonly onEvent?: (event: ElectionEvent) => void
}

/** The options with their defaults, checked. */
export type ElectionSettings = Required<LeaderElectorOptions> & {
  /** `namespace/name`, for people. */
  readonly leaseName: string
  /** For one request: short enough that one that hangs leaves time for another. */
  readonly requestTimeoutMs: number
}

/** As in client-go: tries are spread over up to this much more than the period, so that candidates do not collide. */
export const jitterFactor = 1.2

/** Throws {@link InvalidElectionOptionsError}. */
export function readElectionOptions(options: LeaderElectorOptions): ElectionSettings {
  const { lease, identity = `${hostname()}_${randomUUID()}` } = options
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options
  for (const [name, value] of Object.entries({ leaseDurationMs, renewDeadlineMs, retryPeriodMs })) {
    if (!Number.isFinite(value) || value <= 0)
      throw new InvalidElectionOptionsError(`${name} is ${value}; give a number of milliseconds above zero.`)
  }
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new InvalidElectionOptionsError(
      `leaseDurationMs (${leaseDurationMs}) must be greater than renewDeadlineMs (${renewDeadlineMs}), ` +
        'so that a leader stops before another begins.',
    )
  }
  if (renewDeadlineMs <= retryPeriodMs * jitterFactor) {
    throw new InvalidElectionOptionsError(
      `renewDeadlineMs (${renewDeadlineMs}) must be greater than ${jitterFactor} times retryPeriodMs (${retryPeriodMs}), ` +
        'so that one failed renewal can be repeated.',
    )
  }
  if (identity === '')
    throw new InvalidElectionOptionsError('the identity is empty; leave it out or name one.')
  if (lease.namespace === '' || lease.name === '')
    throw new InvalidElectionOptionsError('the lease needs a namespace and a name; name both.')
  return {
    client: options.client,
    lease,
    identity,
    leaseDurationMs,
    renewDeadlineMs,
    retryPeriodMs,
    releaseOnCancel: options.releaseOnCancel ?? true,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    log: options.log ?? silentLogger,
    metrics: options.metrics ?? { leading: () => {}, slowPath: () => {} },
    onEvent: options.onEvent ?? (() => {}),
    leaseName: `${lease.namespace}/${lease.name}`,
    requestTimeoutMs: Math.max(renewDeadlineMs / 2, 1_000),
  }
}
