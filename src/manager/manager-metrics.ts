import type { Metrics } from '../observe/index.js'
import type { ElectionMetrics } from './election/election-options.js'
import type { CertificateMetrics } from './http/certificate-files.js'

/** The metrics of this room, under the names that dashboards know. */
export interface ManagerMetrics {
  /** For one lease, by its name. */
  election(name: string): ElectionMetrics
  readonly certificates: CertificateMetrics
}

/** Registers them; once for each registry. */
export function registerManagerMetrics(metrics: Metrics): ManagerMetrics {
  const status = metrics.gauge({
    name: 'leader_election_master_status',
    help: 'Whether this process leads: 1 or 0.',
    labels: ['name'],
  })
  const slowPaths = metrics.counter({
    name: 'leader_election_slowpath_total',
    help: 'Renewals of the leader lease that needed a look at it first.',
    labels: ['name'],
  })
  const reads = metrics.counter({
    name: 'certwatcher_read_certificate_total',
    help: 'Certificate files read.',
  })
  const failures = metrics.counter({
    name: 'certwatcher_read_certificate_errors_total',
    help: 'Certificate files that could not be read or used.',
  })
  return {
    election(name) {
      const leading = status.series({ name })
      const slowPath = slowPaths.series({ name })
      return {
        leading: (isLeading) => leading.set(isLeading ? 1 : 0),
        slowPath: () => slowPath.inc(),
      }
    },
    certificates: {
      read: () => reads.inc(),
      failed: () => failures.inc(),
    },
  }
}
