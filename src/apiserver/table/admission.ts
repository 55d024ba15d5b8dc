import type { DeepReadonly } from '../../base/index.js'
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../../kinds/admissionregistration.k8s.io/v1.js'
import type { LabelSelector } from '../../kinds/meta/v1.js'
import { ageOf, type Cells, compareTexts, nameOf } from './cell-text.js'

export const webhookCells: Cells<MutatingWebhookConfiguration | ValidatingWebhookConfiguration> = (
  object,
  now,
) => [nameOf(object), object.webhooks?.length ?? 0, ageOf(object, now)]

export const validatingPolicyCells: Cells<ValidatingAdmissionPolicy> = (object, now) => [
  nameOf(object),
  object.spec?.validations?.length ?? 0,
  paramKind(object.spec?.paramKind),
  ageOf(object, now),
]

export const mutatingPolicyCells: Cells<MutatingAdmissionPolicy> = (object, now) => [
  nameOf(object),
  object.spec?.mutations?.length ?? 0,
  paramKind(object.spec?.paramKind),
  ageOf(object, now),
]

export const policyBindingCells: Cells<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding> = (
  object,
  now,
) => [nameOf(object), object.spec?.policyName ?? '', paramRef(object.spec?.paramRef), ageOf(object, now)]

function paramKind(kind: { readonly apiVersion?: string; readonly kind?: string } | undefined): string {
  return kind === undefined ? '<unset>' : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`
}

interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: DeepReadonly<LabelSelector>
}

function paramRef(reference: ParamRef | undefined): string {
  if (reference?.name) return `${reference.namespace || '*'}/${reference.name}`
  return reference?.selector === undefined ? '<unset>' : goText(reference.selector)
}

// The server shows a selector of parameters as Go prints the struct.
function goText({ matchLabels = {}, matchExpressions = [] }: DeepReadonly<LabelSelector>): string {
  const labels = Object.entries(matchLabels)
    .toSorted(([left], [right]) => compareTexts(left, right))
    .map(([key, value]) => `${key}: ${value},`)
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
}
