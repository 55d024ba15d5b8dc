import type {
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '../../../kinds/admissionregistration.k8s.io/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  required,
} from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { pathSegmentName, subdomainName } from '../name-rules.js'
import { isAbsent, isBlank, validateWord } from '../value-rules.js'
import { defaultMatchResources, validateMatchResources } from './match-rules.js'

// The binding of a mutating policy has no validationActions; in all else they are alike.
type Binding = ValidatingAdmissionPolicyBinding

/** Of the bindings of both kinds of policies. */
export function bindingRules(isMutating: boolean): KindRules {
  return {
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    defaults(draft) {
      const match = draftOf<Binding>(draft).spec?.matchResources
      if (!isAbsent(match)) defaultMatchResources(match)
    },
    validateCreate(object) {
      const {
        policyName,
        paramRef,
        matchResources,
        validationActions = [],
      } = viewOf<Binding>(object).spec ?? {}
      return [
        ...(isBlank(policyName)
          ? [required('spec.policyName')]
          : invalidFor('spec.policyName', policyName, subdomainName(policyName, false))),
        ...(isAbsent(paramRef) ? [] : validateParamRef(paramRef, 'spec.paramRef')),
        ...(isAbsent(matchResources) ? [] : validateMatchResources(matchResources, 'spec.matchResources')),
        ...(isMutating ? [] : validateActions(validationActions, 'spec.validationActions')),
      ]
    },
  }
}

function validateParamRef(reference: View<ParamRef>, path: string): FieldError[] {
  const { name, selector, parameterNotFoundAction } = reference
  const both = 'name and selector are mutually exclusive'
  const isNamed = !isBlank(name)
  const selects = !isAbsent(selector)
  return [
    ...(isNamed ? invalidFor(`${path}.name`, name, pathSegmentName(name, false)) : []),
    ...(isNamed && selects ? [forbidden(`${path}.name`, both)] : []),
    ...validateLabelSelector(selector, `${path}.selector`),
    ...(isNamed && selects ? [forbidden(`${path}.selector`, both)] : []),
    ...(isNamed || selects ? [] : [required(path, 'one of name or selector must be specified')]),
    ...validateWord(parameterNotFoundAction, ['Deny', 'Allow'], `${path}.parameterNotFoundAction`, ''),
  ]
}

const actionWords = ['Audit', 'Deny', 'Warn']

function validateActions(actions: readonly string[], path: string): FieldError[] {
  return [
    ...actions.flatMap((action, index) => [
      ...(actionWords.includes(action) ? [] : [notSupported(`${path}[${index}]`, action, actionWords)]),
      ...(actions.indexOf(action) < index ? [duplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn')
      ? [
          invalid(
            path,
            actions,
            'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
          ),
        ]
      : []),
    ...(actions.length === 0 ? [required(path, 'at least one validation action is required')] : []),
  ]
}
