import { abortReason, raceAbort, sleep, throwIfAborted } from '../../base/index.js'
import { type CallOptions, ResponseTimeoutError } from '../../client/index.js'
import { Lease, type LeaseSpec } from '../../kinds/coordination.k8s.io/v1.js'
import { isApiError, isConflict, isNotFound } from '../../objects/index.js'
import { IdentityInUseError } from './election-errors.js'
import type { ElectionSettings } from './election-options.js'
import { type Moment, momentOf } from './leadership.js'
import { heldSpec, type LeaseRecord, readLeaseRecord, releasedSpec } from './lease-record.js'

/** What a try for the lease came to. */
export type LeaseAttempt =
  /** It is ours, by a request that was sent at that moment. */
  | { readonly kind: 'held'; readonly sentAt: Moment }
  /** It is somebody else's, or was taken from us and is nobody's. */
  | { readonly kind: 'not-held'; readonly holder: string }

/**
 * The lease on the server, as one candidate sees and writes it. All writes name the version that was seen last, so of two
 * candidates that try at the same time one fails.
 */
export class LeaseLock {
  readonly #settings: ElectionSettings
  /** As the server showed it last. Carries the fields that we do not know. */
  #lease: Lease | undefined
  #seen: { readonly record: LeaseRecord; readonly atMs: number } | undefined
  /** Records that were sent and not refused: found on the server, they are ours even if the answer was lost. */
  readonly #sent = new Set<string>()

  constructor(settings: ElectionSettings) {
    this.#settings = settings
  }

  /** The lease as it was seen last. */
  get lease(): Lease | undefined {
    return this.#lease
  }

  /** Whom it named then. */
  get holder(): string {
    return this.#seen?.record.holder ?? ''
  }

  /** We have sent a write that may have made the lease ours. */
  get mayBeOurs(): boolean {
    return this.#sent.size > 0
  }

  /**
   * Takes the lease if nobody holds it. Somebody holds it as long as its record has changed within the duration that it
   * names: measured by our own clock from when we saw the change, never by the times in the record, which are another
   * machine's. Throws {@link IdentityInUseError}, or what the request failed with.
   */
  async acquire(signal: AbortSignal): Promise<LeaseAttempt> {
    const { identity, leaseName, leaseDurationMs, clock } = this.#settings
    const before = this.#seen?.record
    const record = await this.#look(signal)
    if (record === undefined) return this.#hold(false, signal)
    const isOurs = this.#sent.has(record.fingerprint)
    const isRenewedByAnother = before?.holder === identity && before.fingerprint !== record.fingerprint
    if (!isOurs && record.holder === identity && isRenewedByAnother)
      throw new IdentityInUseError(leaseName, identity)
    const durationMs = record.durationMs === 0 ? leaseDurationMs : record.durationMs
    const isHeld = record.holder !== '' && clock.monotonic() < (this.#seen?.atMs ?? 0) + durationMs
    if (isHeld && !isOurs) return { kind: 'not-held', holder: record.holder }
    return this.#hold(isOurs, signal)
  }

  /** Extends the lease that we hold, at best by one request. `not-held` means that it has been taken away. */
  async renew(signal: AbortSignal): Promise<LeaseAttempt> {
    const { identity, log, leaseName, metrics } = this.#settings
    if (this.#lease !== undefined) {
      try {
        return await this.#hold(true, signal)
      } catch (error) {
        throwIfAborted(signal)
        log.debug('The lease could not be renewed at once; looking at it.', { lease: leaseName, error })
      }
    }
    metrics.slowPath()
    const record = await this.#look(signal)
    if (record === undefined) return this.#hold(false, signal)
    if (record.holder !== identity) return { kind: 'not-held', holder: record.holder }
    return this.#hold(true, signal)
  }

  /**
   * Hands the lease back, so that another may take it at once. Repeats after conflicts and failures until the renew
   * deadline has passed, and throws the last failure then.
   */
  async release(): Promise<void> {
    const { identity, clock, random, renewDeadlineMs, retryPeriodMs } = this.#settings
    const overdue = new AbortController()
    const timer = clock.setTimer(renewDeadlineMs, () => overdue.abort())
    try {
      for (;;) {
        try {
          const record = await this.#look(overdue.signal)
          if (record?.holder !== identity || this.#lease === undefined) return
          await this.#write(releasedSpec(this.#lease, clock.now()), overdue.signal)
          return
        } catch (error) {
          // A renewal that was under way may still have changed the lease: look again at once.
          const delayMs = isConflict(error) ? 20 * (1 + random()) : retryPeriodMs
          await sleep(clock, delayMs, overdue.signal).catch(() => {
            throw error
          })
        }
      }
    } finally {
      timer.cancel()
    }
  }

  async #look(signal: AbortSignal): Promise<LeaseRecord | undefined> {
    const { client, lease } = this.#settings
    try {
      return this.#see(await this.#call(signal, (options) => client.get(Lease, lease, options)))
    } catch (error) {
      if (!isNotFound(error)) throw error
      this.#lease = undefined
      this.#seen = undefined
      return undefined
    }
  }

  #see(lease: Lease): LeaseRecord {
    this.#lease = lease
    const record = readLeaseRecord(lease)
    if (record.fingerprint !== this.#seen?.record.fingerprint)
      this.#seen = { record, atMs: this.#settings.clock.monotonic() }
    return record
  }

  async #hold(isRenewal: boolean, signal: AbortSignal): Promise<LeaseAttempt> {
    const { identity, leaseDurationMs, clock } = this.#settings
    // Before the request: the server counts from when it receives it, and an answer may take long.
    const sentAt = momentOf(clock)
    await this.#write(
      heldSpec(this.#lease, { identity, leaseDurationMs, nowMs: sentAt.wallMs, isRenewal }),
      signal,
    )
    return { kind: 'held', sentAt }
  }

  async #write(spec: LeaseSpec, signal: AbortSignal): Promise<void> {
    const { client, lease } = this.#settings
    const known = this.#lease
    const next = { ...known, metadata: known?.metadata ?? lease, spec }
    const { fingerprint } = readLeaseRecord(next)
    this.#sent.add(fingerprint)
    try {
      const written = await this.#call(signal, (options) =>
        known === undefined ? client.create(Lease, next, options) : client.update(Lease, next, options),
      )
      this.#sent.clear()
      this.#sent.add(fingerprint)
      this.#see(written)
    } catch (error) {
      if (isApiError(error) && error.httpStatus < 500) this.#sent.delete(fingerprint)
      // A candidate may fail for days; only the last of its writes can still be on their way.
      for (const oldest of this.#sent) if (this.#sent.size > 8) this.#sent.delete(oldest)
      throw error
    }
  }

  /** One request, one try, one time limit for all of it: connecting, credentials and the answer to its last byte. */
  async #call<T>(signal: AbortSignal, send: (options: CallOptions) => Promise<T>): Promise<T> {
    const { clock, requestTimeoutMs } = this.#settings
    const abort = new AbortController()
    const onAbort = (): void => abort.abort(abortReason(signal))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const timer = clock.setTimer(requestTimeoutMs, () =>
      abort.abort(new ResponseTimeoutError('The API server', requestTimeoutMs)),
    )
    try {
      const call = send({ signal: abort.signal, timeoutMs: requestTimeoutMs, maxTries: 1 })
      return await raceAbort(call, abort.signal)
    } finally {
      timer.cancel()
      signal.removeEventListener('abort', onAbort)
    }
  }
}
