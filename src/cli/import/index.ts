/**
 * `kubewright import`: TypeScript from the CRDs of others.
 *
 * @module
 */
export type { FetchJson } from './cluster-source.js'
export { type ImportOptions, type ImportResult, type ImportSource, runImport } from './run-import.js'
