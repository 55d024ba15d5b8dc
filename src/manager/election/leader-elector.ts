import { abortReason, sleep, type Timer } from '../../base/index.js'
import { isForbidden } from '../../objects/index.js'
import { createAlarm } from '../alarm.js'
import {
  ElectorAlreadyRunError,
  IdentityInUseError,
  type LeadershipLoss,
  LeadershipLostError,
} from './election-errors.js'
import {
  type ElectionEvent,
  type ElectionSettings,
  jitterFactor,
  type LeaderElectorOptions,
  readElectionOptions,
} from './election-options.js'
import { judgeLease, type Moment } from './leadership.js'
import { LeaseLock } from './lease-lock.js'

/**
 * One candidate in an election by lease. Of all candidates at most one passes {@link LeaderElector.assertLeading} at any
 * time, as long as their clocks run at speeds that differ by less than lease to renew deadline (15 to 10).
 */
export interface LeaderElector {
  /** The name of this candidate in the lease. */
  readonly identity: string
  /** Who held the lease when it was last looked at; empty when nobody did. For people, not for decisions. */
  readonly holder: string
  /**
   * Waits for the lease and calls `whileLeading`. Its signal aborts when the outer one does, and then the lease is still
   * renewed until the work has ended; afterwards it is handed back and the run ends as the work did. It also aborts when
   * the lease is lost, with {@link LeadershipLostError}; then the run rejects with that at once, whatever the work does,
   * because another may lead: end the process.
   *
   * Failures to reach the server are waited out. Throws {@link IdentityInUseError} when another process uses this identity
   * and {@link ElectorAlreadyRunError} on a second run.
   */
  run(signal: AbortSignal, whileLeading: (leadSignal: AbortSignal) => Promise<void>): Promise<void>
  /** Whether this process leads, by the clock of this moment. */
  isLeader(): boolean
  /**
   * The fence: call it directly before every write that only a leader may do. Throws {@link LeadershipLostError} unless
   * this process leads at this moment; asks the clock, so it holds also right after the event loop was blocked or the
   * process stopped, before any timer has fired.
   */
  assertLeading(): void
  /** Throws when this process leads or led, could not renew the lease for so long beyond its end, and is still there. */
  checkHealth(toleranceMs?: number): void
  /** Stops leading and leaves the lease to expire: some work under it would not end, so nobody may take over at once. */
  abandon(): void
}

/**
 * Sends nothing before `run`. Throws `InvalidElectionOptionsError`.
 *
 * Renewals run on the main event loop, not in a worker thread. A worker would keep the lease of a process whose main loop
 * hangs: nobody reconciles, and nobody may take over, until a probe kills it. A loop that is blocked for longer than the
 * renew deadline is not fit to lead, and because every write asks `assertLeading`, losing the lease in that way is safe.
 * A worker would also need credentials of its own, which plugins and rotating files make hard to share.
 */
export function createLeaderElector(options: LeaderElectorOptions): LeaderElector {
  return new LeaseElector(readElectionOptions(options))
}

const defaultToleranceMs = 20_000

class LeaseElector implements LeaderElector {
  readonly #settings: ElectionSettings
  readonly #lock: LeaseLock
  readonly #renewal: ReturnType<typeof createAlarm>
  #state: 'new' | 'waiting' | 'leading' | 'lost' | 'ended' = 'new'
  #lostError: LeadershipLostError | undefined
  /** When the last renewal that succeeded was sent. */
  #renewed: Moment | undefined
  #deadline: Timer | undefined
  #onLost: (error: LeadershipLostError) => void = () => {}
  #reportedHolder = ''
  #reportedFailure = ''

  constructor(settings: ElectionSettings) {
    this.#settings = settings
    this.#lock = new LeaseLock(settings)
    this.#renewal = createAlarm(settings.clock)
  }

  get identity(): string {
    return this.#settings.identity
  }

  get holder(): string {
    return this.#lock.holder
  }

  async run(signal: AbortSignal, whileLeading: (leadSignal: AbortSignal) => Promise<void>): Promise<void> {
    const { leaseName, log, metrics } = this.#settings
    if (this.#state !== 'new') throw new ElectorAlreadyRunError(leaseName)
    this.#state = 'waiting'
    metrics.leading(false)
    log.info('Waiting for the leader lease.', { lease: leaseName, identity: this.identity })
    try {
      const sentAt = await this.#acquire(signal)
      if (sentAt !== undefined) await this.#lead(sentAt, signal, whileLeading)
    } finally {
      this.#end()
    }
  }

  isLeader(): boolean {
    return this.#state === 'leading' && this.#leaseAge() === 'valid'
  }

  assertLeading(): void {
    if (this.#state !== 'leading') throw this.#lostError ?? this.#lossOf('not-leading')
    const age = this.#leaseAge()
    if (age === 'valid') return
    if (age === 'expired') throw this.#lose('expired')
    this.#renewal.ring()
    throw this.#lossOf('unproven')
  }

  checkHealth(toleranceMs: number = defaultToleranceMs): void {
    const { clock, leaseDurationMs } = this.#settings
    const mustHaveEnded = this.#state === 'leading' || this.#state === 'lost'
    if (!mustHaveEnded || this.#renewed === undefined) return
    if (clock.monotonic() - this.#renewed.monotonicMs > leaseDurationMs + toleranceMs)
      throw this.#lostError ?? this.#lossOf('expired')
  }

  abandon(): void {
    if (this.#state === 'leading') this.#lose('abandoned')
  }

  /** When the request was sent that made us the leader; undefined when the signal came first. */
  async #acquire(signal: AbortSignal): Promise<Moment | undefined> {
    const { clock, random, retryPeriodMs, renewDeadlineMs } = this.#settings
    while (!signal.aborted) {
      try {
        const attempt = await this.#lock.acquire(signal)
        this.#reportHolder()
        if (attempt.kind === 'held') {
          // An answer that took too long proves nothing any more; the next try renews.
          const isFresh = judgeLease(attempt.sentAt, clock, renewDeadlineMs) === 'valid'
          if (isFresh && !signal.aborted) return attempt.sentAt
        }
      } catch (error) {
        if (error instanceof IdentityInUseError) throw error
        if (!signal.aborted) this.#reportFailure('The leader lease could not be read or taken.', error)
      }
      const delayMs = retryPeriodMs * (1 + jitterFactor * random())
      await sleep(clock, delayMs, signal).catch(() => {})
    }
    // The answer to our last write may have been lost with the abort.
    if (this.#lock.mayBeOurs) await this.#release()
    return undefined
  }

  async #lead(
    sentAt: Moment,
    signal: AbortSignal,
    whileLeading: (leadSignal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { leaseName, log, metrics } = this.#settings
    const work = new AbortController()
    const renewals = new AbortController()
    const onAbort = (): void => work.abort(abortReason(signal))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const lost = new Promise<never>((_, reject) => {
      this.#onLost = (error) => {
        reject(error)
        renewals.abort()
        work.abort(error)
      }
    })
    this.#state = 'leading'
    this.#wasRenewed(sentAt)
    metrics.leading(true)
    log.info('Leading.', { lease: leaseName, identity: this.identity })
    this.#tell((lease) => ({ type: 'became-leader', identity: this.identity, lease }))
    const renewing = this.#renew(renewals.signal)
    try {
      await Promise.race([callSafely(whileLeading, work.signal), lost])
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (this.#state === 'leading') {
        // The fence closes before the lease opens.
        this.#end()
        this.#deadline?.cancel()
        renewals.abort()
        metrics.leading(false)
        await renewing
        await this.#release()
        this.#tell((lease) => ({ type: 'stopped-leading', identity: this.identity, lease }))
      }
    }
  }

  #end(): void {
    if (this.#state !== 'lost') this.#state = 'ended'
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { clock, retryPeriodMs } = this.#settings
    let delayMs = retryPeriodMs
    for (;;) {
      try {
        await this.#renewal.wait(delayMs, signal)
      } catch {
        return
      }
      const startedMs = clock.monotonic()
      try {
        const attempt = await this.#lock.renew(signal)
        if (signal.aborted) return
        this.#reportHolder()
        if (attempt.kind === 'not-held') return void this.#lose('taken', attempt.holder)
        this.#reportedFailure = ''
        this.#wasRenewed(attempt.sentAt)
      } catch (error) {
        if (signal.aborted) return
        this.#reportFailure('The leader lease could not be renewed.', error)
      }
      // A request that hung has used up the pause: the next follows at once.
      delayMs = Math.max(0, startedMs + retryPeriodMs - clock.monotonic())
    }
  }

  #wasRenewed(sentAt: Moment): void {
    const { clock, renewDeadlineMs } = this.#settings
    this.#renewed = sentAt
    this.#deadline?.cancel()
    const remainingMs = sentAt.monotonicMs + renewDeadlineMs - clock.monotonic()
    this.#deadline = clock.setTimer(remainingMs, () => this.#lose('expired'))
  }

  #leaseAge(): ReturnType<typeof judgeLease> {
    const { clock, renewDeadlineMs } = this.#settings
    return this.#renewed === undefined ? 'expired' : judgeLease(this.#renewed, clock, renewDeadlineMs)
  }

  #lose(reason: LeadershipLoss, holder?: string): LeadershipLostError {
    const error = this.#lostError ?? this.#lossOf(reason, holder)
    if (this.#state !== 'leading') return error
    this.#state = 'lost'
    this.#lostError = error
    this.#deadline?.cancel()
    this.#settings.metrics.leading(false)
    this.#settings.log.error('The leader lease was lost: the process must end.', { error })
    this.#onLost(error)
    this.#tell((lease) => ({ type: 'stopped-leading', identity: this.identity, lease }))
    return error
  }

  #lossOf(reason: LeadershipLoss, holder?: string): LeadershipLostError {
    return new LeadershipLostError(this.#settings.leaseName, reason, holder)
  }

  async #release(): Promise<void> {
    const { releaseOnCancel, log, leaseName } = this.#settings
    if (!releaseOnCancel) return
    try {
      await this.#lock.release()
      log.info('The leader lease was handed back.', { lease: leaseName })
    } catch (error) {
      log.warn('The leader lease could not be handed back; it expires by itself.', {
        lease: leaseName,
        error,
      })
    }
  }

  #reportHolder(): void {
    const { holder } = this.#lock
    if (holder === '' || holder === this.#reportedHolder) return
    this.#reportedHolder = holder
    if (holder !== this.identity)
      this.#settings.log.info('Another replica leads.', { lease: this.#settings.leaseName, holder })
    this.#tell(() => ({ type: 'new-leader', identity: holder }))
  }

  /** Each failure once, until another comes: a candidate may wait for days. */
  #reportFailure(message: string, error: unknown): void {
    const { log, leaseName, lease } = this.#settings
    const text = String(error)
    const isNews = text !== this.#reportedFailure
    this.#reportedFailure = text
    const next = isForbidden(error)
      ? `Permit get, create and update on leases.coordination.k8s.io in the namespace ${lease.namespace}.`
      : 'It is tried again.'
    log[isNews ? 'warn' : 'debug'](`${message} ${next}`, { lease: leaseName, error })
  }

  #tell(event: (lease: NonNullable<LeaseLock['lease']>) => ElectionEvent): void {
    const { lease } = this.#lock
    if (lease === undefined) return
    try {
      this.#settings.onEvent(event(lease))
    } catch (error) {
      this.#settings.log.error('The listener of the election threw.', { error })
    }
  }
}

/** The outcome of the work, also when it throws before it returns a promise. */
async function callSafely(
  whileLeading: (leadSignal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await whileLeading(signal)
}
