import { KubewrightError } from '../../base/index.js'

/** Why this process does not lead (any more). */
export type LeadershipLoss =
  /** It has not been elected, or has handed the lease back. */
  | 'not-leading'
  /** No renewal succeeded within the renew deadline. */
  | 'expired'
  /** The lease names somebody else, or nobody. */
  | 'taken'
  /** The wall clock has moved on while the monotonic one stood still: the machine may have slept. Until a renewal succeeds. */
  | 'unproven'
  /** Work did not end in time, and the lease was left to expire. */
  | 'abandoned'

const explanations: Record<LeadershipLoss, string> = {
  'not-leading': 'this process does not lead. Do it only while it leads.',
  expired:
    'the lease could not be renewed in time. Let the process end and another lead; check the API server and a blocked event loop.',
  taken: 'somebody else has it. Let the process end.',
  unproven: 'the clocks disagree on the time since its last renewal. Try again after the next renewal.',
  abandoned: 'it was abandoned because work did not end in time. Let the process end.',
}

/** What was asked for is only for the leader, and this process does not lead. */
export class LeadershipLostError extends KubewrightError {
  readonly lease: string
  readonly reason: LeadershipLoss
  /** Who leads, where that is known. */
  readonly holder: string | undefined

  constructor(lease: string, reason: LeadershipLoss, holder?: string) {
    const leader = holder === undefined || holder === '' ? '' : ` (now held by ${holder})`
    super(`Lease ${lease}${leader}: ${explanations[reason]}`, { code: 'KW_LEADERSHIP_LOST' })
    this.lease = lease
    this.reason = reason
    this.holder = holder
  }
}

/** Another process takes part under the same identity; both would believe to lead. */
export class IdentityInUseError extends KubewrightError {
  readonly identity: string

  constructor(lease: string, identity: string) {
    super(
      `Lease ${lease} is being renewed by another process with the identity "${identity}". ` +
        'Give each process its own, or leave the identity out.',
      { code: 'KW_IDENTITY_IN_USE' },
    )
    this.identity = identity
  }
}

/** An elector runs once: after a loss the process must end. */
export class ElectorAlreadyRunError extends KubewrightError {
  constructor(lease: string) {
    super(`The elector of lease ${lease} has run before. Start a new process to take part again.`, {
      code: 'KW_ELECTOR_ALREADY_RUN',
    })
  }
}

/** The options of the election contradict each other. */
export class InvalidElectionOptionsError extends KubewrightError {
  constructor(problem: string) {
    super(`The leader election cannot work: ${problem}`, { code: 'KW_ELECTION_OPTIONS_INVALID' })
  }
}
