import { deepCopy } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { trackUpdate } from '../apply/field-manager.js'
import { optionsAs, type WriteOptions } from '../request/write-options.js'
import { mutateAdmitted } from './admitted.js'
import { checkName, dropRepeatedOwners, ensureNamespace } from './object-metadata.js'
import type { UpdatePlan } from './update.js'
import { admissionRequest, fieldManagerContext, type WriteCall, type WriteParts } from './write-call.js'

/**
 * The plan of an update by a whole object, decoded and defaulted. Throws ApiFailure 400 if that is another one than the
 * path's.
 */
export function replacementPlan(
  parts: WriteParts,
  call: WriteCall,
  body: ApiObject,
  options: WriteOptions,
): UpdatePlan {
  ensureNamespace(body, call)
  checkName(body, call)
  dropRepeatedOwners(body, call, false)
  const optionsOf = (operation: 'CREATE' | 'UPDATE'): ApiObject =>
    operation === 'UPDATE' ? options.object : optionsAs('CreateOptions', options)
  return {
    createsMissing: call.strategy.allowsCreateOnUpdate && call.info.subresource === '',
    uid: body.metadata.uid ?? '',
    options: optionsOf,
    async next(old) {
      const draft = deepCopy(body)
      await trackUpdate(old, draft, fieldManagerContext(parts, call))
      call.strategy.dropEmptyLists?.(draft)
      await admitUpdate(parts, call, draft, { old, options: optionsOf })
      return draft
    },
  }
}

/** Lets admission change the next state of an object. */
export async function admitUpdate(
  parts: WriteParts,
  call: WriteCall,
  draft: ApiObject,
  about: {
    readonly old: StoredApiObject | undefined
    options(operation: 'CREATE' | 'UPDATE'): ApiObject
    readonly kind?: UpdatePlan['admissionKind']
  },
): Promise<void> {
  const operation = about.old === undefined ? 'CREATE' : 'UPDATE'
  await mutateAdmitted(
    parts,
    call,
    admissionRequest(call, {
      operation,
      name: call.info.name,
      object: draft,
      oldObject: about.old,
      options: about.options(operation),
      ...(about.kind !== undefined && { kind: about.kind }),
    }),
  )
  dropRepeatedOwners(draft, call, true)
}
