import type { GroupRules } from '../kind-rules.js'
import { bindingRules } from './bindings.js'
import { mutatingPolicyRules, validatingPolicyRules } from './policies.js'
import { webhookRules } from './webhooks.js'

/** What is particular to the kinds of admissionregistration.k8s.io. */
export const admissionregistrationRules: GroupRules = {
  MutatingAdmissionPolicy: mutatingPolicyRules,
  MutatingAdmissionPolicyBinding: bindingRules(true),
  MutatingWebhookConfiguration: webhookRules(true),
  ValidatingAdmissionPolicy: validatingPolicyRules,
  ValidatingAdmissionPolicyBinding: bindingRules(false),
  ValidatingWebhookConfiguration: webhookRules(false),
}
