/**
 * CustomResourceDefinitions: how they are written and come to life, and the resources that they define.
 *
 * @module
 */
import { loadSchemaEngines } from '../../schema/internal.js'
import type { StoredApiObject } from '../api-object.js'
import type { Resource } from '../resource.js'
import type { ConversionDependencies } from './conversion.js'
import { customResource } from './custom-resource.js'

export { crdAdmission } from './admission-plugin.js'
export { type CrdController, type CrdControllerOptions, createCrdController } from './controller.js'
export { type CatalogueChange, CustomResources } from './custom-resources.js'
export {
  crdStatusStrategy,
  crdStrategy,
  type LoadedEngines,
  lazyEngines,
  withCrdStrategies,
} from './definition-strategy.js'
export {
  acceptedNamesStatus,
  approvalStatus,
  establishedStatus,
  withCondition,
} from './status.js'

/** The resource that a CRD defines. */
export async function crdResource(
  crd: StoredApiObject,
  dependencies: ConversionDependencies,
): Promise<Resource> {
  return customResource(crd, { ...dependencies, engines: await loadSchemaEngines() })
}
