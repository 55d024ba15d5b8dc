import { type Clock, systemClock } from '../../base/index.js'
import type { InformerHealth } from '../../cache/index.js'
import type { LeaderElector } from '../election/leader-elector.js'
import type { HealthCheck } from './health.js'
import type { LoopLagMonitor } from './loop-lag.js'

/** Where the health of informers is read: a shared cache. */
export interface InformerSource {
  readonly health: readonly InformerHealth[]
}

/** For `/readyz`: all caches have been filled once. */
export function informersSynced(source: InformerSource): HealthCheck {
  return () => {
    const missing = source.health.filter((informer) => !informer.synced)
    if (missing.length > 0) throw new Error(`Not filled yet: ${describe(missing)}.`)
  }
}

/**
 * For `/readyz`: no cache has been cut off from its server for longer than `maxSilenceMs`, five minutes unless said
 * otherwise. The server sends a bookmark each minute, so silence is no sign of peace. Not meant for `/healthz`: a restart
 * does not bring an API server back.
 */
export function informersActive(
  source: InformerSource,
  options: { readonly maxSilenceMs?: number; readonly clock?: Clock } = {},
): HealthCheck {
  const { maxSilenceMs = 300_000, clock = systemClock } = options
  return () => {
    const nowMs = clock.monotonic()
    const silent = source.health.filter(
      ({ synced, lastActivityMs }) =>
        synced && lastActivityMs !== undefined && nowMs - lastActivityMs > maxSilenceMs,
    )
    if (silent.length > 0) throw new Error(`Nothing heard for ${maxSilenceMs} ms: ${describe(silent)}.`)
  }
}

/** For `/healthz`: a leader that has lost its lease and is still there must be restarted. */
export function leaseRenewed(elector: Pick<LeaderElector, 'checkHealth'>, toleranceMs?: number): HealthCheck {
  return () => elector.checkHealth(toleranceMs)
}

/**
 * For `/healthz`: the event loop has not been blocked for longer than `maxLagMs` lately, five seconds unless said otherwise.
 * A loop that is blocked for ten seconds loses its lease; one that is blocked for good answers no probe at all.
 */
export function eventLoopResponsive(
  monitor: Pick<LoopLagMonitor, 'worstLagMs'>,
  options: { readonly maxLagMs?: number } = {},
): HealthCheck {
  const { maxLagMs = 5_000 } = options
  return () => {
    const lagMs = monitor.worstLagMs()
    if (lagMs > maxLagMs) throw new Error(`The event loop was blocked for ${Math.round(lagMs)} ms.`)
  }
}

function describe(informers: readonly InformerHealth[]): string {
  return informers
    .map(({ description, failure }) =>
      failure === undefined
        ? description
        : `${description} (${failure.reason}${failure.error === undefined ? '' : `: ${failure.error.message}`})`,
    )
    .join('; ')
}
