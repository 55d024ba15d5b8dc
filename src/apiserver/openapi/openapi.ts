import type { ResourceCatalogue } from '../resource.js'
import type { PathHandler } from '../router.js'

/** `/openapi/v3` and `/openapi/v2`: the shapes of everything that is served. */
export function createOpenApi(_parts: { readonly catalogue: ResourceCatalogue }): PathHandler {
  return () => Promise.resolve(undefined)
}
