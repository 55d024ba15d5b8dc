import type { QueueMetrics } from '../queue/index.js'

export type ReconcileResult = 'success' | 'error' | 'requeue_after'

/** What a controller reports while it works. Whoever runs it maps these to metrics. Must be quick and must not throw. */
export interface ControllerMetrics {
  readonly queue: QueueMetrics
  reconciled(result: ReconcileResult, seconds: number): void
  terminalError(): void
  timedOut(): void
  /** How many runs are under way, stuck ones included. */
  activeWorkers(count: number): void
}
