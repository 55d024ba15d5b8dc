/**
 * The cellar: time, cancellation, back-off, deep data, exact JSON and the root of all errors.
 * Imports nothing of the house.
 *
 * @module
 */
export { AbortedError, abortReason, raceAbort, throwIfAborted } from './abort.js'
export { type Backoff, type BackoffOptions, createBackoff } from './backoff.js'
export {
  type Clock,
  checkDelay,
  InvalidDelayError,
  sleep,
  systemClock,
  type Timer,
  type TimerOptions,
  yieldToEventLoop,
} from './clock.js'
export {
  type DeepReadonly,
  type DeepWritable,
  deepCopy,
  deepEqual,
  deepFreeze,
  getOwn,
  isPlainObject,
  setOwn,
} from './deep.js'
export {
  assertNever,
  type ErrorOptionsWithCode,
  isKubewrightError,
  KubewrightError,
  toError,
} from './errors.js'
export { createHeap, type Heap, type HeapNode } from './heap.js'
export { isPrintable } from './is-printable.js'
export { JsonSyntaxError, parseJson, stringifyJson } from './json.js'
export { JsonValueError } from './json-writer.js'
export { LruMap } from './lru-map.js'
export { type Random, seededRandom } from './random.js'
export { formatUtcTime, parseUtcTime } from './utc-time.js'
