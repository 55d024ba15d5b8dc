import type {
  DeviceClass,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
} from '../../kinds/resource.k8s.io/v1.js'
import { type Draft, draftOf, viewOf } from './draft.js'
import { invalidAs } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { isBlank, validateImmutable } from './value-rules.js'

/**
 * What is particular to the kinds of resource.k8s.io: defaults, generations, what cannot change. What devices may be
 * said to be is taken as it comes: nothing in this server allocates them.
 */
export const resourceRules: GroupRules = {
  DeviceClass: {
    hasGeneration: true,
    validateUpdate: () => [],
    validateCreate: () => [],
    defaults(draft) {
      draftOf<DeviceClass>(draft).spec ??= {}
    },
  },
  ResourceClaim: {
    defaults: (draft) => applyClaimDefaults(draftOf<ResourceClaim>(draft).spec),
    validateUpdate: (object, old) =>
      validateImmutable(viewOf<ResourceClaim>(object).spec, viewOf<ResourceClaim>(old).spec, 'spec'),
  },
  ResourceClaimTemplate: {
    defaults: (draft) => applyClaimDefaults(draftOf<ResourceClaimTemplate>(draft).spec?.spec),
    validateUpdate(object, old) {
      const { spec } = viewOf<ResourceClaimTemplate>(object)
      return validateImmutable(spec, viewOf<ResourceClaimTemplate>(old).spec, 'spec').map(() =>
        invalidAs('spec', '{}', 'field is immutable'),
      )
    },
  },
  ResourceSlice: {
    hasGeneration: true,
    selectableFields: {
      'spec.nodeName': (object) => textAt(object, 'nodeName'),
      'spec.driver': (object) => textAt(object, 'driver'),
    },
  },
}

function textAt(object: Parameters<typeof viewOf>[0], field: string): string {
  const value = viewOf<{ spec: Record<string, unknown> }>(object).spec?.[field]
  return typeof value === 'string' ? value : ''
}

function applyClaimDefaults(spec: Draft<ResourceClaimSpec> | undefined): void {
  for (const request of spec?.devices?.requests ?? []) {
    if (request.exactly !== undefined) applyRequestDefaults(request.exactly)
    for (const alternative of request.firstAvailable ?? []) applyRequestDefaults(alternative)
  }
}

function applyRequestDefaults(request: Pick<Draft<ExactDeviceRequest>, 'allocationMode' | 'count'>): void {
  if (isBlank(request.allocationMode)) request.allocationMode = 'ExactCount'
  if (request.allocationMode === 'ExactCount' && (request.count ?? 0) === 0) request.count = 1
}
