import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../../kinds/policy/v1.js'
import { goJson } from '../../schema/internal.js'
import { validateConditions } from './condition-rules.js'
import { type View, viewOf } from './draft.js'
import { type FieldError, invalidAs, notSupported } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { validateLabelSelector } from './label-selector-rules.js'
import { shownSelector } from './shown-selector.js'
import { isAbsent, validateAtMostAll, validateCountOrPercent, validateNonNegative } from './value-rules.js'

/** What is particular to the kinds of policy. */
export const policyRules: GroupRules = {
  PodDisruptionBudget: {
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    validateCreate: (object) => validateSpec(viewOf<PodDisruptionBudget>(object).spec ?? {}),
    validateStatusUpdate(object) {
      const { status = {} } = viewOf<PodDisruptionBudget>(object)
      return [
        ...validateConditions(status.conditions, 'status.conditions'),
        ...validateNonNegative(status.disruptionsAllowed, 'status.disruptionsAllowed'),
        ...validateNonNegative(status.currentHealthy, 'status.currentHealthy'),
        ...validateNonNegative(status.desiredHealthy, 'status.desiredHealthy'),
        ...validateNonNegative(status.expectedPods, 'status.expectedPods'),
      ]
    },
  },
}

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget']

function validateSpec(spec: View<PodDisruptionBudgetSpec>): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  return [
    ...(isAbsent(minAvailable) || isAbsent(maxUnavailable)
      ? []
      : [invalidAs('spec', shownSpec(spec), 'minAvailable and maxUnavailable cannot be both set')]),
    ...validateCountOrPercent(minAvailable, 'spec.minAvailable'),
    ...validateAtMostAll(minAvailable, 'spec.minAvailable'),
    ...validateCountOrPercent(maxUnavailable, 'spec.maxUnavailable'),
    ...validateAtMostAll(maxUnavailable, 'spec.maxUnavailable'),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(isAbsent(policy) || evictionPolicies.includes(policy)
      ? []
      : [notSupported('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies)]),
  ]
}

/** As the server's own type has it. */
function shownSpec(spec: View<PodDisruptionBudgetSpec>): string {
  const { minAvailable = null, maxUnavailable = null, selector, unhealthyPodEvictionPolicy = null } = spec
  return `{"MinAvailable":${goJson(minAvailable)},"Selector":${shownSelector(selector)},"MaxUnavailable":${goJson(maxUnavailable)},"UnhealthyPodEvictionPolicy":${goJson(unhealthyPodEvictionPolicy)}}`
}
