import { ApiFailure } from '../failure.js'
import { unsupportedMediaType } from '../request/body.js'

export type PatchType =
  | 'application/json-patch+json'
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json'
  | 'application/apply-patch+yaml'

/** What custom resources understand: strategic merge needs types. */
const customTypes: readonly PatchType[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
]

const allTypes: readonly PatchType[] = [...customTypes, 'application/strategic-merge-patch+json']

/** What sort of patch a request brings. Throws ApiFailure 415. */
export function patchTypeOf(contentType: string, isCustom: boolean): PatchType {
  const semicolon = contentType.indexOf(';')
  const given = semicolon > 0 ? contentType.slice(0, semicolon) : contentType
  const found = (isCustom ? customTypes : allTypes).find((type) => type === given)
  if (found !== undefined) return found
  if (isCustom) throw unsupportedMediaType(customTypes)
  throw new ApiFailure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  })
}
