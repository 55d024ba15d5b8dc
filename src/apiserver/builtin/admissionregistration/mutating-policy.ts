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
  const common = validateCommon(spec, checks)
  const check: MutationCheck = (expression, path, returns) =>
    common.checker.check(expression, path, {
      returns: [returns],
      hasParams: !isAbsent(spec.paramKind),
      makesPatches: true,
    })
  return [
    ...common.errors,
    ...used
      .filter((operation) => !operationWords.includes(operation))
      .map((operation) => notSupported(operationsPath, operation, operationWords)),
    ...(mutations.length === 0
      ? [required('spec.mutations', 'mutations must contain at least one item')]
      : []),
    ...mutations.flatMap((mutation, index) => validateMutation(mutation, `spec.mutations[${index}]`, check)),
    ...validateWord(reinvocationPolicy, reinvocations, 'spec.reinvocationPolicy', ''),
  ]
}

type MutationCheck = (expression: string, path: string, returns: 'object' | 'jsonPatch') => FieldError[]

const patchFields = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const

function validateMutation(mutation: View<Mutation>, path: string, check: MutationCheck): FieldError[] {
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
        : check(
            expression ?? '',
            `${path}.${field}.expression`,
            field === 'jsonPatch' ? 'jsonPatch' : 'object',
          )),
    ...(isAbsent(mutation[otherField])
      ? []
      : [invalid(`${path}.${otherField}`, `{${otherField}}`, unwanted)]),
  ]
}
