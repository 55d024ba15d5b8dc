import type { AdmissionPlugin } from '../admission/admission.js'
import { forbidden } from '../failure.js'
import { crdOf, crdResourceName, isConditionTrue } from './definition.js'
import type { LoadedEngines } from './definition-strategy.js'

/**
 * Must come first of all plugins. No custom resource is created while its CRD is on its way out. And whoever writes a
 * CRD waits here until the engines are loaded that judge its schema.
 */
export function crdAdmission(engines: LoadedEngines): AdmissionPlugin {
  return {
    name: 'CustomResourceDefinitions',
    handles: ({ operation, resource }) =>
      resource.isCustom ? operation === 'CREATE' : nameOf(resource) === crdResourceName,
    async mutate({ resource, name }, { cluster }) {
      if (!resource.isCustom) {
        await engines.load()
        return
      }
      const crd = cluster.get(crdResourceName, '', nameOf(resource))
      if (crd === undefined || !isConditionTrue(crdOf(crd), 'Terminating')) return
      throw forbidden(
        { group: resource.group, resource: resource.plural },
        name,
        'create not allowed while custom resource definition is terminating',
      )
    },
  }
}

function nameOf({ group, plural }: { readonly group: string; readonly plural: string }): string {
  return group === '' ? plural : `${plural}.${group}`
}
