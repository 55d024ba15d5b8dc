import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
  Mutation,
} from '../../../kinds/admissionregistration.k8s.io/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, invalid, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { isAbsent, isBlank, validateWord } from '../value-rules.js'
import type { ExpressionChecker } from './expressions.js'
import { defaultPolicy, haveConditionsChanged, type PolicyChecks, validateCommon } from './policy-spec.js'

/** The mutations themselves are not compiled: the types of patches are unknown to the engine. */
export function mutatingPolicyRules(checker: ExpressionChecker): KindRules {
  return {
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    defaults(draft) {
      const policy = draftOf<MutatingAdmissionPolicy>(draft)
      policy.spec ??= {}
      defaultPolicy(policy.spec)
    },
    validateCreate: (object) =>
      validatePolicy(viewOf<MutatingAdmissionPolicy>(object).spec ?? {}, { checksConditions: true, checker }),
    validateUpdate(object, old) {
      const { spec = {} } = viewOf<MutatingAdmissionPolicy>(object)
      const { spec: before } = viewOf<MutatingAdmissionPolicy>(old)
      return validatePolicy(spec, { checksConditions: haveConditionsChanged(spec, before), checker })
    },
  }
}

const operationWords = ['*', 'CONNECT', 'CREATE', 'UPDATE']
const reinvocations = ['IfNeeded', 'Never']

function validatePolicy(spec: View<MutatingAdmissionPolicySpec>, checks: PolicyChecks): FieldError[] {
  const { mutations = [], reinvocationPolicy, matchConstraints } = spec
  const used = (matchConstraints?.resourceRules ?? []).flatMap(({ operations = [] }) => operations)
  const operationsPath = 'spec.matchConstraints.resourceRules.operations'
  return [
    ...validateCommon(spec, checks).errors,
    ...used
      .filter((operation) => !operationWords.includes(operation))
      .map((operation) => notSupported(operationsPath, operation, operationWords)),
    ...(mutations.length === 0
      ? [required('spec.mutations', 'mutations must contain at least one item')]
      : []),
    ...mutations.flatMap((mutation, index) => validateMutation(mutation, `spec.mutations[${index}]`)),
    ...validateWord(reinvocationPolicy, reinvocations, 'spec.reinvocationPolicy', ''),
  ]
}

const patchFields = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const

function validateMutation(mutation: View<Mutation>, path: string): FieldError[] {
  const { patchType = '' } = mutation
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch')
    return validateWord(patchType, Object.keys(patchFields), `${path}.patchType`, '')
  const field = patchFields[patchType]
  const otherField = field === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch'
  const expression = mutation[field]?.expression
  const unwanted = `must not be specified when patchType is ${patchType}`
  return [
    ...(isAbsent(mutation[field])
      ? [required(`${path}.${field}`, `must be specified when patchType is ${patchType}`)]
      : isBlank(expression?.trim())
        ? [required(`${path}.${field}.expression`)]
        : []),
    ...(isAbsent(mutation[otherField])
      ? []
      : [invalid(`${path}.${otherField}`, `{${otherField}}`, unwanted)]),
  ]
}
