import { deepCopy, isPlainObject } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { badRequest } from '../failure.js'
import { unforeseen } from '../patch/patch-failure.js'
import { ApplyConflictError, conflictFailure, conflictsOutside } from './conflict.js'
import { type FieldManagerContext, liveObject, typedObject } from './field-manager-context.js'
import { emptySet } from './field-set.js'
import { fieldsLastApplied, kubectlManager, refreshLastApplied } from './last-applied.js'
import {
  decodeManagers,
  encodeManagers,
  ManagedFieldsError,
  type Manager,
  type Managers,
  managerId,
} from './managers.js'
import { identityOf, stripFields, updateManagers, updaterFor } from './update-managers.js'
import type { TypedObject } from './updater.js'
import { describeKind, describeObject, TypedValueError } from './validate.js'
import { zeroObject } from './zero-object.js'

/**
 * Merges what is applied over what is there (undefined for an object that the apply creates): fields that the manager
 * applied before, applies no more and shares with nobody go; it owns what it applies. Returns an object of its own with
 * its managedFields, which keep their times where nothing changes; defaults are still to be set. Rejects with ApiFailure:
 * 409 with a cause for each field of another manager that would change, unless it is forced; 400 and the server's 500 for
 * what cannot be applied.
 */
export async function applyServerSide(
  live: StoredApiObject | undefined,
  applied: ApiObject,
  isForced: boolean,
  context: FieldManagerContext,
): Promise<ApiObject> {
  checkApplied(applied, context)
  try {
    return await merge(live, applied, isForced, context)
  } catch (error) {
    if (error instanceof ApplyConflictError) throw conflictFailure(error.conflicts)
    if (error instanceof TypedValueError) throw unforeseen(error.message)
    if (error instanceof ManagedFieldsError)
      throw unforeseen(`failed to decode managed fields: ${error.message}`)
    if (error instanceof RangeError) throw badRequest('the applied object is nested too deep: flatten it')
    throw error
  }
}

/** What is applied has been read, but by nobody looked at: its kind and its metadata may be anything. */
function checkApplied(applied: ApiObject, { apiVersion, kind }: FieldManagerContext): void {
  if (applied.apiVersion !== apiVersion || applied.kind !== kind) {
    throw badRequest(`invalid object type: ${describeKind(applied)}`)
  }
  const metadata: unknown = applied.metadata
  if (isPlainObject(metadata) && Array.isArray(metadata['managedFields'])) {
    throw badRequest('metadata.managedFields must be nil')
  }
}

async function merge(
  live: StoredApiObject | undefined,
  applied: ApiObject,
  isForced: boolean,
  context: FieldManagerContext,
): Promise<ApiObject> {
  const config = typedObject(applied, context, { name: 'patch object', allowsDuplicates: false })
  const { apiVersion } = context
  const before =
    live === undefined
      ? { ...config, value: { apiVersion, kind: applied.kind } }
      : await liveObject(live, context)
  const managers =
    live === undefined ? new Map<string, Manager>() : await managersBefore(live, before, context)
  const self: Manager = { ...identityOf(context, 'Apply'), set: emptySet, time: undefined }
  const change = { live: before, applied: config, managers, self }
  const updater = updaterFor(context)
  const result = await updater.apply({ ...change, isForced }).catch((error: unknown) => {
    checkTakeover(error, before, context)
    return updater.apply({ ...change, isForced: true })
  })
  if (result.isChanged && context.unusable !== undefined) {
    throw unforeseen(
      `failed to convert new object (${describeObject(applied)}) to proper version: ${context.unusable}`,
    )
  }
  const id = managerId(self)
  stripFields(result.managers, id)
  const own = result.managers.get(id)
  if (own !== undefined) {
    const time = live === undefined || result.isChanged ? context.timestamp : managers.get(id)?.time
    result.managers.set(id, { ...own, time })
  }
  // Both merged values have the structure of an object, and the merge keeps it; only metadata may be missing.
  const merged = deepCopy(result.object.value) as ApiObject
  merged.metadata ??= {}
  if (context.manager === kubectlManager) refreshLastApplied(merged, applied)
  const managedFields = encodeManagers(result.managers)
  if (managedFields !== undefined) merged.metadata.managedFields = managedFields
  return merged
}

/** The owners before the apply. If the object has none, it belongs to `before-first-apply`. */
async function managersBefore(
  live: StoredApiObject,
  after: TypedObject,
  context: FieldManagerContext,
): Promise<Managers> {
  const managers = decodeManagers(live.metadata.managedFields)
  if (managers.size > 0) return managers
  const { apiVersion } = context
  const before = { ...after, value: zeroObject(context.schemaOf(apiVersion), apiVersion, live.kind) }
  return updateManagers({ before, after, managers }, { ...context, manager: 'before-first-apply' })
}

/**
 * When kubectl comes to apply on the server's side what it has applied on its own side before, the fields are its own
 * and no conflict. Throws what stands against it.
 */
function checkTakeover(error: unknown, live: TypedObject, { manager }: FieldManagerContext): void {
  if (!(error instanceof ApplyConflictError) || manager !== kubectlManager) throw error
  const own = fieldsLastApplied(live)
  if (own === undefined) throw error
  const conflicts = conflictsOutside(error.conflicts, own)
  if (conflicts.length > 0) throw new ApplyConflictError(conflicts)
}
