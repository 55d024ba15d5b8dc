import type { AdmissionRequest } from '../admission/admission.js'
import { decodeManagers, ManagedFieldsError } from '../apply/managers.js'
import type { WriteCall, WriteParts } from './write-call.js'

/** Lets admission change the object, but not its managedFields into something that is none. Throws ApiFailure. */
export async function mutateAdmitted(
  { admission }: WriteParts,
  call: WriteCall,
  request: AdmissionRequest,
): Promise<void> {
  const { object } = request
  const before = object?.metadata.managedFields
  await admission.mutate(request)
  if (object === undefined || object.metadata.managedFields === before) return
  try {
    decodeManagers(object.metadata.managedFields)
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error
    if (before === undefined) delete object.metadata.managedFields
    else object.metadata.managedFields = before
    call.warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    )
  }
}
