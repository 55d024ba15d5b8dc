import { dns1123SubdomainErrors } from '../../../objects/index.js'
import { type FieldError, invalidFor, required } from '../field-errors.js'
import { pathSegmentName } from '../name-rules.js'
import { isAbsent, isBlank } from '../value-rules.js'

interface TypedReference {
  readonly apiGroup?: string | null | undefined
  readonly kind?: string | undefined
  readonly name?: string | undefined
}

/** Something that can stand in a path, and must be there. */
export function validateSegment(value: string | undefined, path: string): FieldError[] {
  return isBlank(value) ? [required(path)] : invalidFor(path, value, pathSegmentName(value, false))
}

/** A reference by group, kind and name. */
export function validateTypedReference({ apiGroup, kind, name }: TypedReference, path: string): FieldError[] {
  return [
    ...(isAbsent(apiGroup) ? [] : invalidFor(`${path}.apiGroup`, apiGroup, dns1123SubdomainErrors(apiGroup))),
    ...validateSegment(kind, `${path}.kind`),
    ...validateSegment(name, `${path}.name`),
  ]
}
