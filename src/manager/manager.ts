import {
  AbortedError,
  abortReason,
  type Clock,
  isKubewrightError,
  sleep,
  systemClock,
  toError,
} from '../base/index.js'
import { type Logger, silentLogger } from '../observe/index.js'
import {
  GracePeriodExceededError,
  InvalidManagerOptionsError,
  ManagerAlreadyRunError,
  ManagerStoppedError,
  RunnableFailedError,
} from './manager-errors.js'
import { type Phase, phases, type Runnable } from './runnable.js'
import { RunnableGroup } from './runnable-group.js'

/** What the manager needs of leader election; `createLeaderElector` makes one. */
export interface Election {
  /**
   * Waits for the lease, calls `whileLeading`, and holds the lease until that settles, also after the signal has aborted.
   * Rejects at once when the lease is lost.
   */
  run(signal: AbortSignal, whileLeading: (leadSignal: AbortSignal) => Promise<void>): Promise<void>
  /** Stops leading without giving the lease to others: some work would not end. */
  abandon(): void
}

export interface ManagerOptions {
  readonly log?: Logger
  readonly clock?: Clock
  /**
   * How long to wait for everything to stop, the release of the lease included: 30 seconds. Keep it below the
   * `terminationGracePeriodSeconds` of the pod. `Infinity` waits for ever.
   */
  readonly gracePeriodMs?: number
  /** Absent: this replica leads from the start. */
  readonly leaderElection?: Election
  /**
   * Runs when this replica has become the leader, before any `leader` runnable starts: the place to make sure that caches
   * show what the last leader wrote. A rejection stops the manager.
   */
  readonly beforeLeading?: (signal: AbortSignal) => Promise<void>
}

/** Starts, watches and stops the parts of a process. Knows nothing of what they do. */
export interface Manager {
  /**
   * Adds a part, before the run or during it; one whose phase has begun starts at once. Throws
   * {@link ManagerStoppedError} once the stop has begun.
   */
  add(runnable: Runnable): void
  /**
   * Starts phase after phase and runs until the signal aborts or a part fails; then stops in reverse order and gives up
   * the lease when everything else has ended.
   *
   * Resolves after a clean stop. Rejects with {@link RunnableFailedError}, with `LeadershipLostError` (at once: end the
   * process, another replica leads), with {@link GracePeriodExceededError}, or with {@link ManagerAlreadyRunError}.
   */
  run(signal?: AbortSignal): Promise<void>
}

/** Why everything stops. */
type StopCause =
  | { readonly kind: 'asked' }
  | { readonly kind: 'failed'; readonly error: Error }
  /** Nothing may be waited for: another replica may lead already. */
  | { readonly kind: 'lease-lost'; readonly error: Error }

/** Does nothing before `run`. */
export function createManager(options: ManagerOptions = {}): Manager {
  const { gracePeriodMs = 30_000 } = options
  if (Number.isNaN(gracePeriodMs) || gracePeriodMs < 0) {
    throw new InvalidManagerOptionsError(
      `gracePeriodMs is ${gracePeriodMs}: give milliseconds, zero or more, or Infinity to wait for ever.`,
    )
  }
  return new RunningManager({ ...options, gracePeriodMs })
}

class RunningManager implements Manager {
  readonly #options: ManagerOptions & { readonly gracePeriodMs: number }
  readonly #clock: Clock
  readonly #log: Logger
  readonly #groups: ReadonlyMap<Phase, RunnableGroup>
  #state: 'new' | 'running' | 'stopping' | 'ended' = 'new'
  #cause: StopCause | undefined
  readonly #stopBegun = createGate()
  readonly #leaseLost = createGate()
  /** Opened when no runnable runs any more: the lease may go. */
  readonly #workEnded = createGate()
  readonly #leadershipAbort = new AbortController()
  #electionEnded: Promise<void> = Promise.resolve()

  constructor(options: ManagerOptions & { readonly gracePeriodMs: number }) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#log = options.log ?? silentLogger
    const onFailure = (runnable: Runnable, error: Error): void =>
      this.#stop({ kind: 'failed', error: new RunnableFailedError(runnable.name, error) })
    const onLateFailure = (runnable: Runnable, error: Error): void =>
      this.#log.error('A part failed while it was stopping.', { runnable: runnable.name, error })
    this.#groups = new Map(phases.map((phase) => [phase, new RunnableGroup(onFailure, onLateFailure)]))
  }

  add(runnable: Runnable): void {
    if (this.#state === 'stopping' || this.#state === 'ended') throw new ManagerStoppedError(runnable.name)
    this.#group(runnable.phase).add(runnable)
  }

  async run(signal?: AbortSignal): Promise<void> {
    if (this.#state !== 'new') throw new ManagerAlreadyRunError()
    this.#state = 'running'
    const onAbort = (): void => this.#stop({ kind: 'asked' })
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    void this.#start()
    await this.#stopBegun.opened
    signal?.removeEventListener('abort', onAbort)
    const error = await this.#shutDown()
    if (error !== undefined) throw error
  }

  #group(phase: Phase): RunnableGroup {
    const group = this.#groups.get(phase)
    if (group !== undefined) return group
    throw new InvalidManagerOptionsError(`There is no phase "${phase}": use one of ${phases.join(', ')}.`)
  }

  /** The first cause counts, but a lost lease more than any other, because it forbids to wait. */
  #stop(cause: StopCause): void {
    if (this.#state === 'ended') return
    if (this.#cause === undefined || cause.kind === 'lease-lost') this.#cause = cause
    else if (cause.kind === 'failed') {
      this.#log.error('Another part failed while everything stops.', { error: cause.error })
    }
    if (cause.kind === 'lease-lost') this.#leaseLost.open()
    this.#state = 'stopping'
    this.#stopBegun.open()
  }

  async #start(): Promise<void> {
    for (const phase of phases) {
      if (this.#cause !== undefined) return
      if (phase !== 'leader') await this.#group(phase).start()
      else if (this.#options.leaderElection === undefined) await this.#lead(this.#leadershipAbort.signal)
      else this.#electionEnded = this.#takePart(this.#options.leaderElection)
    }
  }

  async #takePart(election: Election): Promise<void> {
    try {
      await election.run(this.#leadershipAbort.signal, async (leadSignal) => {
        // A loss must reach the work before anything else happens.
        const onAbort = (): void => this.#group('leader').stop(abortReason(leadSignal))
        if (leadSignal.aborted) onAbort()
        else leadSignal.addEventListener('abort', onAbort, { once: true })
        await this.#lead(leadSignal)
        await this.#workEnded.opened
      })
    } catch (thrown) {
      const error = toError(thrown)
      this.#stop({ kind: isKubewrightError(error, 'KW_LEADERSHIP_LOST') ? 'lease-lost' : 'failed', error })
    }
  }

  async #lead(signal: AbortSignal): Promise<void> {
    try {
      await this.#options.beforeLeading?.(signal)
    } catch (thrown) {
      if (!signal.aborted)
        this.#stop({ kind: 'failed', error: new RunnableFailedError('beforeLeading', toError(thrown)) })
      return
    }
    await this.#group('leader').start()
  }

  /** The error to report. */
  async #shutDown(): Promise<Error | undefined> {
    const reason =
      this.#cause === undefined || this.#cause.kind === 'asked' ? new AbortedError() : this.#cause.error
    const overtaken = new AbortController()
    const outcome = await Promise.race([
      this.#stopInOrder(reason),
      this.#graceExpired(overtaken.signal),
      this.#leaseLost.opened.then(() => 'lease-lost' as const),
    ])
    overtaken.abort()
    this.#state = 'ended'
    const error = this.#cause === undefined || this.#cause.kind === 'asked' ? undefined : this.#cause.error
    if (outcome === 'stopped') return error
    const unfinished = [...this.#groups.values()].flatMap((group) => group.unstoppable)
    if (unfinished.length === 0) unfinished.push('the release of the lease')
    for (const group of this.#groups.values()) group.stop(error ?? reason)
    this.#options.leaderElection?.abandon()
    if (outcome === 'lease-lost') return error
    const exceeded = new GracePeriodExceededError(this.#options.gracePeriodMs, unfinished)
    if (error !== undefined) this.#log.error(exceeded.message, { runnables: unfinished })
    return error ?? exceeded
  }

  async #stopInOrder(reason: Error): Promise<'stopped'> {
    this.#leadershipAbort.abort(reason)
    for (const phase of phases.toReversed()) {
      const group = this.#group(phase)
      group.stop(reason)
      await group.ended()
    }
    this.#workEnded.open()
    await this.#electionEnded
    return 'stopped'
  }

  async #graceExpired(overtaken: AbortSignal): Promise<'expired' | 'overtaken'> {
    try {
      await sleep(this.#clock, this.#options.gracePeriodMs, overtaken)
      return 'expired'
    } catch {
      return 'overtaken'
    }
  }
}

/** A promise that somebody else resolves. */
function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
