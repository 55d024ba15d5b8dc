import type { GroupRules, KindRules } from '../kind-rules.js'
import { bindingRules } from './bindings.js'
import { createExpressionChecker, type ExpressionChecker } from './expressions.js'
import { mutatingPolicyRules } from './mutating-policy.js'
import { validatingPolicyRules } from './validating-policy.js'
import { webhookRules } from './webhooks.js'

/** Rules that compile expressions with the engine of the server. */
function compiling(rules: (checker: ExpressionChecker) => KindRules): KindRules {
  return { forServer: ({ expressions }) => rules(createExpressionChecker(expressions)) }
}

/** What is particular to the kinds of admissionregistration.k8s.io. */
export const admissionregistrationRules: GroupRules = {
  MutatingAdmissionPolicy: compiling(mutatingPolicyRules),
  MutatingAdmissionPolicyBinding: bindingRules(true),
  MutatingWebhookConfiguration: compiling((checker) => webhookRules(true, checker)),
  ValidatingAdmissionPolicy: compiling(validatingPolicyRules),
  ValidatingAdmissionPolicyBinding: bindingRules(false),
  ValidatingWebhookConfiguration: compiling((checker) => webhookRules(false, checker)),
}
