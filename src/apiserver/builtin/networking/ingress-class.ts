import type { IngressClass, IngressClassParametersReference } from '../../../kinds/networking.k8s.io/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalidFor, notSupported, required, tooLong } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { labelName } from '../name-rules.js'
import { isAbsent, validateDomainPrefixedPath, validateImmutable } from '../value-rules.js'
import { validateTypedReference } from './typed-reference.js'

const longestController = 250

export const ingressClassRules: KindRules = {
  hasGeneration: true,
  defaults(draft) {
    const { parameters } = draftOf<IngressClass>(draft).spec ?? {}
    if (!isAbsent(parameters)) parameters.scope ??= 'Cluster'
  },
  validateCreate: (object) => validateSpec(viewOf<IngressClass>(object)),
  validateUpdate: (object, old) => [
    ...validateImmutable(
      viewOf<IngressClass>(object).spec?.controller ?? '',
      viewOf<IngressClass>(old).spec?.controller ?? '',
      'spec.controller',
    ),
    ...validateSpec(viewOf<IngressClass>(object)),
  ],
}

function validateSpec({ spec = {} }: View<IngressClass>): FieldError[] {
  const { controller = '', parameters } = spec
  return [
    ...(controller.length > longestController ? [tooLong('spec.controller', longestController)] : []),
    ...validateDomainPrefixedPath(controller, 'spec.controller'),
    ...(isAbsent(parameters) ? [] : validateParameters(parameters, 'spec.parameters')),
  ]
}

function validateParameters(parameters: View<IngressClassParametersReference>, path: string): FieldError[] {
  const { scope, namespace } = parameters
  return [
    ...validateTypedReference(parameters, path),
    ...(isAbsent(scope) ? [required(`${path}.scope`)] : validateScope(scope, namespace, path)),
  ]
}

function validateScope(scope: string, namespace: string | undefined, path: string): FieldError[] {
  if (scope === 'Cluster')
    return isAbsent(namespace)
      ? []
      : [forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'")]
  if (scope !== 'Namespace') return [notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace'])]
  return isAbsent(namespace)
    ? [required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'")]
    : invalidFor(`${path}.namespace`, namespace, labelName(namespace, false))
}
