/**
 * Operators: kinds and controllers as plain data, and the program that runs them.
 *
 * Several operators in one process share nothing: each has its own client, caches, metrics and lease.
 *
 * @module
 */
export type { AssembledOperator, OperatorEnvironment } from './assemble-operator.js'
export {
  caching,
  defineOperator,
  InvalidOperatorError,
  type KindCaching,
  type Operator,
  type OperatorCache,
  type OperatorOptions,
} from './define-operator.js'
export { type InstallKindsOptions, installKinds } from './install-kinds.js'
export { assembleOperator, runOperator } from './on-demand.js'
export {
  defaultOperatorFlags,
  InvalidFlagsError,
  type OperatorFlags,
  parseOperatorFlags,
} from './operator-flags.js'
export type { RunOperatorOptions } from './run-operator.js'
