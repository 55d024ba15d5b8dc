/**
 * CustomResourceDefinitions: how they are written and come to life, and the resources that they define.
 *
 * @module
 */
export { crdAdmission } from './admission-plugin.js'
export { type CrdController, type CrdControllerOptions, createCrdController } from './controller.js'
export { type CatalogueChange, CustomResources } from './custom-resources.js'
export {
  type LoadedEngines,
  lazyEngines,
  withCrdStrategies,
} from './definition-strategy.js'
