/**
 * Who owns which field of an object: server-side apply, and the managedFields that every write leaves.
 *
 * @module
 */
export { applyServerSide } from './apply-server-side.js'
export type { FieldManagerContext } from './field-manager-context.js'
export { trackUpdate } from './track-update.js'
