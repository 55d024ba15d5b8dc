/**
 * The kinds that every Kubernetes API server has: their schemas, and how their objects are defaulted, validated and
 * stored.
 *
 * @module
 */
export { builtinResources } from './builtin-resources.js'
export type { BuiltinOptions, ObjectWriter, WriteTarget } from './kind-rules.js'
