/**
 * What a queue reports while it works. Whoever creates the queue maps these to the metrics that operators know,
 * `workqueue_*`. Called on the hot path and from timers: must be quick and must not throw.
 *
 * `workqueue_unfinished_work_seconds` and `workqueue_longest_running_processor_seconds` change with every moment that
 * passes; read them from `unfinishedWork()` of the queue when somebody asks, no timer needed.
 */
export interface QueueMetrics {
  /** A key was added that was not there already: `adds_total`. A delayed key counts when its delay has passed. */
  added(): void
  /** One key more, or less, is there to be handed out at that priority: `depth`. */
  depthChanged(priority: number, by: 1 | -1): void
  /** A key was handed out, so long after it was added: `queue_duration_seconds`. */
  queueDuration(seconds: number): void
  /** The holder of a key is done, so long after the key was handed out: `work_duration_seconds`. */
  workDuration(seconds: number): void
  /** A key was added with a delay: `retries_total`. */
  retried(): void
}

/** The work that has been handed out and is not done yet. A growing `longestSeconds` is a stuck worker. */
export interface UnfinishedWork {
  /** The ages of all running keys together. */
  readonly totalSeconds: number
  /** The age of the oldest. Zero when nothing runs. */
  readonly longestSeconds: number
}
