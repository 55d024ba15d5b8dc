import { apiVersionOf, parseApiVersion } from '../../objects/index.js'
import type { FieldError } from '../../schema/index.js'
import { invalid as invalidField } from '../../schema/internal.js'
import type { ApiObject } from '../api-object.js'
import { type ApiFailure, invalid } from '../failure.js'
import { kindSubjectOf, type WriteCall } from './write-call.js'

/** Bodies and patches may turn a custom resource into another kind, and are refused for that when it is checked. */
export function typeErrors({ resource, version }: WriteCall, { kind, apiVersion }: ApiObject): FieldError[] {
  if (!resource.isCustom) return []
  const wanted = apiVersionOf({ group: resource.group, version: version.name })
  return [
    ...(kind === resource.kind ? [] : [invalidField('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === wanted ? [] : [invalidField('apiVersion', apiVersion, `must be ${wanted}`)]),
  ]
}

/** The answer to an object with errors, by the kind that it says it is of. */
export function invalidObject(call: WriteCall, object: ApiObject, errors: readonly FieldError[]): ApiFailure {
  const subject = call.resource.isCustom
    ? { group: parseApiVersion(object.apiVersion).group, resource: object.kind }
    : kindSubjectOf(call)
  return invalid(subject, object.metadata.name ?? '', errors)
}
