/**
 * The cellar: time, cancellation, back-off, deep data, exact JSON and the root of all errors.
 * Imports nothing of the house.
 *
 * @module
 */
export { AbortedError, abortReason, raceAbort, throwIfAborted } from './abort.js'
export { type Backoff, type BackoffOptions, createBackoff } from './backoff.js'
export { type Clock, sleep, systemClock, type Timer, type TimerOptions } from './clock.js'
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
export { JsonSyntaxError, parseJson, stringifyJson } from './json.js'
export { type Random, seededRandom } from './random.js'
