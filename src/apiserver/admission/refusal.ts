import type { StatusCause } from '../../objects/index.js'
import { type ApiFailure, forbidden } from '../failure.js'
import type { AdmissionRequest } from './admission.js'

/** The name by which refusals call an object: one that has none yet is called by its generateName. */
export function nameForRefusal({ name, object }: AdmissionRequest): string {
  if (name !== '') return name
  const { name: own = '', generateName = '' } = object?.metadata ?? {}
  if (own !== '') return own
  return generateName === '' ? 'Unknown!' : generateName
}

/** The 403 of an admission plugin. */
export function refused(
  request: AdmissionRequest,
  why: string,
  causes: readonly StatusCause[] = [],
): ApiFailure {
  const { group, resource } = request.info
  return forbidden({ group, resource }, nameForRefusal(request), why, causes)
}
