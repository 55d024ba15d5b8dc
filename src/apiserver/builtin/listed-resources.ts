import type { Scope } from '../../objects/index.js'
import { resources } from './data/resources.js'

/** A resource of one version, as discovery lists it. Lists of words are texts with spaces. */
export interface ListedResource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly scope: Scope
  readonly verbs: string
  readonly shortNames: string
  readonly categories: string
  readonly subresources: readonly {
    readonly name: string
    readonly group: string
    readonly version: string
    readonly kind: string
    readonly verbs: string
  }[]
}

/** What the pinned version of Kubernetes serves, in the order of discovery. */
export function listedResources(): readonly ListedResource[] {
  // The data is generated, and its generator writes this form.
  return JSON.parse(`[${resources.split('\n').join(',')}]`) as ListedResource[]
}
