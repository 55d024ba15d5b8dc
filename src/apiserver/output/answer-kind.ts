import { ApiFailure } from '../failure.js'
import type { Resource, ServedVersion } from '../resource.js'
import type { Transformation } from './negotiate.js'

/** The resource and the version that an answer is in. */
export interface Served {
  readonly resource: Resource
  readonly version: ServedVersion
}

export function apiVersionOf({ resource, version }: Served): string {
  return resource.group === '' ? version.name : `${resource.group}/${version.name}`
}

/** Whether what is asked for can be made of one object. Throws the 406 of the real server. */
export function checkOneObject(transformation: Transformation, served: Served): void {
  if (transformation.kind !== 'PartialObjectMetadataList') return
  if (served.resource.isCustom)
    throw new ApiFailure({ code: 500, reason: '', message: 'content is not a list' })
  throw notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(served, served.resource.kind)})`,
  )
}

/** Whether what is asked for can be made of a list. Throws the 406 of the real server. */
export function checkList(transformation: Transformation, served: Served): void {
  if (transformation.kind !== 'PartialObjectMetadata') return
  throw notAcceptable(
    `you requested PartialObjectMetadata, but the requested object is a list (${goType(served, served.resource.listKind)})`,
  )
}

function notAcceptable(message: string): ApiFailure {
  return new ApiFailure({ code: 406, reason: 'NotAcceptable', message })
}

/** The real server names the types of its own source here. */
function goType({ resource }: Served, kind: string): string {
  if (resource.isCustom)
    return kind === resource.listKind ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured'
  const [first = ''] = resource.group.split('.')
  return `*${first === '' || first === 'events' ? 'core' : first}.${kind}`
}
