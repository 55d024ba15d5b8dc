import type { ApiObject, StoredApiObject } from '../api-object.js'
import { type FieldManagerContext, isReset, liveObject, typedObject } from './field-manager-context.js'
import { decodeManagers, encodeManagers, type Managers } from './managers.js'
import { updateManagers } from './update-managers.js'
import { zeroObject } from './zero-object.js'

/**
 * Writes down in a draft who owns what, after a create (without a live object), an update or a patch: the manager owns
 * the fields that it changed, everybody loses those that are gone. Entries keep their times unless their fields change. A
 * client may send managedFields: an empty list resets them, and what is not valid is ignored. An object that nobody
 * owned before stays so until the first apply. Never rejects: where fields cannot be told apart, the draft is left
 * without managedFields.
 */
export async function trackUpdate(
  live: StoredApiObject | undefined,
  draft: ApiObject,
  context: FieldManagerContext,
): Promise<void> {
  const managers = managersBefore(live, draft, context)
  delete draft.metadata.managedFields
  if (managers.size === 0 && live !== undefined) return
  try {
    const after = typedObject(draft, context, { name: 'new object', allowsDuplicates: true })
    const before =
      live === undefined
        ? {
            ...after,
            value: zeroObject(context.schemaOf(context.apiVersion), context.apiVersion, draft.kind),
          }
        : await liveObject(live, context)
    const managedFields = encodeManagers(await updateManagers({ before, after, managers }, context))
    if (managedFields !== undefined) draft.metadata.managedFields = managedFields
  } catch {
    // The object is what counts. The server, too, would rather forget its owners than refuse the write.
  }
}

/** The owners before the update: those that the client sent, if they are valid, else those that are stored. */
function managersBefore(
  live: StoredApiObject | undefined,
  draft: ApiObject,
  context: FieldManagerContext,
): Managers {
  const sent: unknown = draft.metadata.managedFields
  if (context.subresource === '') {
    if (isReset(sent, context.schemaOf(context.apiVersion)?.goType === undefined)) return new Map()
    const managers = decodedOrNone(sent)
    if (managers.size > 0) return managers
  }
  return decodedOrNone(live?.metadata.managedFields)
}

function decodedOrNone(managedFields: unknown): Managers {
  try {
    return decodeManagers(managedFields)
  } catch {
    return new Map()
  }
}
