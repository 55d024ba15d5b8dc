import type { Lease } from '../../kinds/coordination.k8s.io/v1.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { draftOf, viewOf } from './draft.js'
import { invalid } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { isAbsent } from './value-rules.js'

/** What is particular to the kinds of coordination.k8s.io. */
export const coordinationRules: GroupRules = {
  Lease: {
    allowsCreateOnUpdate: true,
    allowsUnconditionalUpdate: false,
    // Leader election that is coordinated by the server is off.
    prepareForCreate: (draft) => dropCoordination(draft, undefined),
    prepareForUpdate: (draft, old) => dropCoordination(draft, old),
    validateCreate(object) {
      const { leaseDurationSeconds, leaseTransitions } = viewOf<Lease>(object).spec ?? {}
      return [
        ...(!isAbsent(leaseDurationSeconds) && leaseDurationSeconds <= 0
          ? [invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
          : []),
        ...(!isAbsent(leaseTransitions) && leaseTransitions < 0
          ? [invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0')]
          : []),
      ]
    },
  },
}

function dropCoordination(draft: ApiObject, old: StoredApiObject | undefined): void {
  const { spec = {} } = draftOf<Lease>(draft)
  const before = old === undefined ? undefined : viewOf<Lease>(old).spec
  if (isAbsent(before?.strategy)) delete spec.strategy
  if (isAbsent(before?.preferredHolder)) delete spec.preferredHolder
}
