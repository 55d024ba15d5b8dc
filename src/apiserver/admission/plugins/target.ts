import type { AdmissionRequest } from '../admission.js'

/** True when a request writes an object of this resource itself, not one of its subresources. */
export function isWriteOf({ info, object }: AdmissionRequest, resource: string, group = ''): boolean {
  return object !== undefined && info.resource === resource && info.group === group && info.subresource === ''
}
