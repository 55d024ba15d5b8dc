import type { ControllerDefinition, ControllerMetrics } from '../controller/index.js'
import type { Metrics } from '../observe/index.js'

// The names, labels and buckets of controller-runtime, so that existing dashboards and alerts work.
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
]
const queueBuckets = Array.from({ length: 12 }, (_, power) => 10 ** (power - 8))

/** How a controller's queue and runs are asked for when somebody reads the metrics. */
export interface MeasuredController {
  readonly unfinishedWork: { readonly totalSeconds: number; readonly longestSeconds: number }
  readonly stuckRuns: number
}

/** Registers the metrics of all controllers of an operator once; gives each controller its own part of them. */
export function registerControllerMetrics(
  metrics: Metrics,
  controllers: ReadonlyMap<string, MeasuredController>,
): (definition: ControllerDefinition) => ControllerMetrics {
  const controller = ['controller'] as const
  const reconciles = metrics.counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciles by controller and result.',
    labels: ['controller', 'result'],
  })
  const errors = metrics.counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Reconciles that failed.',
    labels: controller,
  })
  const terminalErrors = metrics.counter({
    name: 'controller_runtime_terminal_reconcile_errors_total',
    help: 'Reconciles that failed for good.',
    labels: controller,
  })
  const panics = metrics.counter({
    name: 'controller_runtime_reconcile_panics_total',
    help: 'Always zero: what is thrown is counted as an error.',
    labels: controller,
  })
  const timeouts = metrics.counter({
    name: 'controller_runtime_reconcile_timeouts_total',
    help: 'Reconciles that took too long.',
    labels: controller,
  })
  const durations = metrics.histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'How long reconciles take.',
    labels: controller,
    buckets: reconcileBuckets,
  })
  const maxConcurrent = metrics.gauge({
    name: 'controller_runtime_max_concurrent_reconciles',
    help: 'How many reconciles may run at once.',
    labels: controller,
  })
  const active = metrics.gauge({
    name: 'controller_runtime_active_workers',
    help: 'How many reconciles run.',
    labels: controller,
  })
  metrics.gauge({
    name: 'kubewright_stuck_reconciles',
    help: 'Reconciles that were told to stop and have not.',
    labels: controller,
    collect: (gauge) => {
      for (const [name, measured] of controllers) gauge.set({ controller: name }, measured.stuckRuns)
    },
  })

  const queue = ['name', 'controller'] as const
  const depth = metrics.gauge({
    name: 'workqueue_depth',
    help: 'Keys that are ready.',
    labels: ['name', 'controller', 'priority'],
  })
  const adds = metrics.counter({ name: 'workqueue_adds_total', help: 'Keys that were added.', labels: queue })
  const retries = metrics.counter({
    name: 'workqueue_retries_total',
    help: 'Keys that were added with a delay.',
    labels: queue,
  })
  const queueDurations = metrics.histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'How long keys wait.',
    labels: queue,
    buckets: queueBuckets,
  })
  const workDurations = metrics.histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'How long keys are worked on.',
    labels: queue,
    buckets: queueBuckets,
  })
  metrics.gauge({
    name: 'workqueue_unfinished_work_seconds',
    help: 'The ages of all running keys together.',
    labels: queue,
    collect: (gauge) => {
      for (const [name, { unfinishedWork }] of controllers) {
        gauge.set({ name, controller: name }, unfinishedWork.totalSeconds)
      }
    },
  })
  metrics.gauge({
    name: 'workqueue_longest_running_processor_seconds',
    help: 'The age of the oldest running key.',
    labels: queue,
    collect: (gauge) => {
      for (const [name, { unfinishedWork }] of controllers) {
        gauge.set({ name, controller: name }, unfinishedWork.longestSeconds)
      }
    },
  })

  return ({ name, workers }) => {
    const own = { controller: name }
    const ownQueue = { name, controller: name }
    maxConcurrent.set(own, workers)
    active.set(own, 0)
    panics.series(own)
    const failed = errors.series(own)
    const failedForGood = terminalErrors.series(own)
    const timedOut = timeouts.series(own)
    const duration = durations.series(own)
    const results = {
      success: reconciles.series({ ...own, result: 'success' }),
      error: reconciles.series({ ...own, result: 'error' }),
      requeue: reconciles.series({ ...own, result: 'requeue' }),
      requeue_after: reconciles.series({ ...own, result: 'requeue_after' }),
    }
    const added = adds.series(ownQueue)
    const retried = retries.series(ownQueue)
    const queued = queueDurations.series(ownQueue)
    const worked = workDurations.series(ownQueue)
    return {
      reconciled(result, seconds) {
        results[result].inc()
        if (result === 'error') failed.inc()
        duration.observe(seconds)
      },
      terminalError: () => failedForGood.inc(),
      timedOut: () => timedOut.inc(),
      activeWorkers: (count) => active.set(own, count),
      queue: {
        added: () => added.inc(),
        depthChanged: (priority, by) => depth.add({ ...ownQueue, priority: String(priority) }, by),
        queueDuration: (seconds) => queued.observe(seconds),
        workDuration: (seconds) => worked.observe(seconds),
        retried: () => retried.inc(),
      },
    }
  }
}
