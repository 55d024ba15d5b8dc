/**
 * Controllers: what wakes them, what they may do, and how their runs go.
 *
 * What holds for every controller:
 * - level-triggered: after the last change of an object, or of what it owns and watches, it is reconciled at least once;
 * - one object is never reconciled by two runs at once, not even when a run ignores its time-out;
 * - no run before everything it follows has been seen completely;
 * - a run that throws is tried again ever more slowly and disturbs no other object;
 * - a run writes only what was declared, only while it may, and sees its own writes in the cache.
 *
 * @module
 */
export { type Access, access, subresourceAccess } from './access.js'
export { type Cause, describeCause } from './cause.js'
export {
  type Controller,
  type ControllerEnvironment,
  createController,
} from './controller.js'
export { type ControllerCache, UncachedKindError } from './controller-cache.js'
export { type ControllerClient, UndeclaredAccessError } from './controller-client.js'
export type { ControllerMetrics, ReconcileResult } from './controller-metrics.js'
export {
  type Applier,
  createApplier,
  createOrUpdate,
  type WriteContext,
  type WriteResult,
} from './create-or-update.js'
export {
  type ControllerDefinition,
  type ControllerOptions,
  defineController,
  InvalidControllerError,
  type ReconcileContext,
} from './define-controller.js'
export {
  createEventRecorder,
  type EventRecorder,
  type EventRecorderOptions,
  type ObjectEvents,
} from './events/event-recorder.js'
export { again, InvalidOutcomeError, type Outcome, settled } from './outcome.js'
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  not,
  type ObjectEvent,
  type Predicate,
  resourceVersionChanged,
} from './predicate.js'
export { ReconcileTimeoutError, RunEndedError } from './run.js'
export type { RunRecord } from './run-history.js'
export { TerminalError } from './terminal-error.js'
export { type MapFunction, type Watch, watch } from './trigger.js'
