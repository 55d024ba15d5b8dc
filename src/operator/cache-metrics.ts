import type { Clock } from '../base/index.js'
import type { SharedCache } from '../cache/index.js'
import type { Metrics } from '../observe/index.js'

/** Counts what interrupts the caches, by resource and reason. */
export function registerCacheFailures(metrics: Metrics): (resource: string, reason: string) => void {
  const failures = metrics.counter({
    name: 'kubewright_cache_failures_total',
    help: 'Interruptions of following a resource, by reason.',
    labels: ['resource', 'reason'],
  })
  return (resource, reason) => failures.inc({ resource, reason })
}

/** How the caches are doing, by resource: how much they hold, whether they are complete, when they last heard anything. */
export function registerCacheMetrics(metrics: Metrics, cache: SharedCache, clock: Clock): void {
  const labels = ['resource'] as const
  metrics.gauge({
    name: 'kubewright_cache_objects',
    help: 'Objects in the cache.',
    labels,
    collect: (gauge) => {
      for (const { description, objects } of cache.health) gauge.set({ resource: description }, objects)
    },
  })
  metrics.gauge({
    name: 'kubewright_cache_synced',
    help: 'Whether the cache has been filled completely once: 1 or 0.',
    labels,
    collect: (gauge) => {
      for (const { description, synced } of cache.health) gauge.set({ resource: description }, synced ? 1 : 0)
    },
  })
  metrics.gauge({
    name: 'kubewright_cache_silence_seconds',
    help: 'How long nothing has been heard of the resource, not even a bookmark.',
    labels,
    collect: (gauge) => {
      for (const { description, lastActivityMs } of cache.health) {
        if (lastActivityMs === undefined) continue
        gauge.set({ resource: description }, (clock.monotonic() - lastActivityMs) / 1000)
      }
    },
  })
}
