import { isPlainObject } from '../../base/index.js'
import type { Lease, LeaseSpec } from '../../kinds/coordination.k8s.io/v1.js'
import { formatMicroTime } from '../../objects/index.js'

/** The part of a lease that the election is about. Anybody may have written it, so every field may be missing. */
export interface LeaseRecord {
  /** Empty: nobody holds it. */
  readonly holder: string
  /** Zero where the lease does not say. */
  readonly durationMs: number
  readonly transitions: number
  readonly acquireTime: string | undefined
  /** Equal for two looks between which nobody wrote the record. Labels and annotations do not count. */
  readonly fingerprint: string
}

/** Reads what the server sent, null and nonsense included. */
export function readLeaseRecord(lease: Pick<Lease, 'spec'>): LeaseRecord {
  const spec: unknown = lease.spec
  const fields: Record<string, unknown> = isPlainObject(spec) ? spec : {}
  const { holderIdentity, leaseDurationSeconds, leaseTransitions, acquireTime, renewTime } = fields
  const positive = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)
  return {
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    durationMs: positive(leaseDurationSeconds) * 1_000,
    transitions: positive(leaseTransitions),
    acquireTime: typeof acquireTime === 'string' ? acquireTime : undefined,
    fingerprint: JSON.stringify(
      [holderIdentity, leaseDurationSeconds, leaseTransitions, acquireTime, renewTime].map(
        (value) => value ?? null,
      ),
    ),
  }
}

/** The new record, laid over the old spec so that fields of others stay. */
export function heldSpec(
  old: Lease | undefined,
  hold: {
    readonly identity: string
    readonly leaseDurationMs: number
    readonly nowMs: number
    /** The same holder goes on, as opposed to a new one beginning. */
    readonly isRenewal: boolean
  },
): LeaseSpec {
  const now = formatMicroTime(hold.nowMs)
  const record = old === undefined ? undefined : readLeaseRecord(old)
  return {
    ...old?.spec,
    holderIdentity: hold.identity,
    // Rounded up: with less, another would take the lease before its holder has let go.
    leaseDurationSeconds: Math.ceil(hold.leaseDurationMs / 1_000),
    acquireTime: (hold.isRenewal ? record?.acquireTime : undefined) ?? now,
    renewTime: now,
    leaseTransitions: record === undefined ? 0 : record.transitions + (hold.isRenewal ? 0 : 1),
  }
}

/** The record of a lease that is free for the next at once. */
export function releasedSpec(old: Lease, nowMs: number): LeaseSpec {
  const now = formatMicroTime(nowMs)
  return {
    ...old.spec,
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: readLeaseRecord(old).transitions,
  }
}
