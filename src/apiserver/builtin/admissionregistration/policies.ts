import { deepEqual } from '../../../base/index.js'
import type {
  AuditAnnotation,
  MutatingAdmissionPolicy,
  Mutation,
  ParamKind,
  ValidatingAdmissionPolicy,
  Validation,
  Variable,
} from '../../../kinds/admissionregistration.k8s.io/v1.js'
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../objects/index.js'
import { validateConditions } from '../condition-rules.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { duplicate, type FieldError, invalid, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { isAbsent, isBlank, validateQualifiedName, validateWord } from '../value-rules.js'
import { compileExpression } from './expressions.js'
import {
  defaultMatchResources,
  failurePolicies,
  validateMatchConditions,
  validateMatchResources,
} from './match-rules.js'

type ValidatingSpec = NonNullable<View<ValidatingAdmissionPolicy>['spec']>
type MutatingSpec = NonNullable<View<MutatingAdmissionPolicy>['spec']>
type CommonSpec = Pick<
  ValidatingSpec,
  'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'
>

function applyDefaults(policy: { spec?: { failurePolicy?: string | undefined } | undefined }): void {
  policy.spec ??= {}
  policy.spec.failurePolicy ??= 'Fail'
}

export const validatingPolicyRules: KindRules = {
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  defaults(draft) {
    const policy = draftOf<ValidatingAdmissionPolicy>(draft)
    applyDefaults(policy)
    const match = policy.spec?.matchConstraints
    if (!isAbsent(match)) defaultMatchResources(match)
  },
  validateCreate: (object) =>
    validateValidating(viewOf<ValidatingAdmissionPolicy>(object), { checksConditions: true }),
  validateUpdate(object, old) {
    const policy = viewOf<ValidatingAdmissionPolicy>(object)
    return validateValidating(policy, {
      checksConditions: haveConditionsChanged(policy.spec, viewOf<ValidatingAdmissionPolicy>(old).spec),
    })
  },
  validateStatusUpdate(object) {
    const { conditions, typeChecking } = viewOf<ValidatingAdmissionPolicy>(object).status ?? {}
    const path = 'status.typeChecking.expressionWarnings'
    return [
      ...(typeChecking?.expressionWarnings ?? []).flatMap(({ warning, fieldRef }, index) => [
        ...(isBlank(warning) ? [required(`${path}[${index}].warning`)] : []),
        ...(isBlank(fieldRef?.trim()) ? [required(`${path}[${index}].fieldRef`)] : []),
      ]),
      ...validateConditions(conditions, 'status.conditions'),
    ]
  },
}

export const mutatingPolicyRules: KindRules = {
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  defaults(draft) {
    const policy = draftOf<MutatingAdmissionPolicy>(draft)
    applyDefaults(policy)
    const match = policy.spec?.matchConstraints
    if (!isAbsent(match)) defaultMatchResources(match)
  },
  validateCreate: (object) =>
    validateMutating(viewOf<MutatingAdmissionPolicy>(object).spec ?? {}, { checksConditions: true }),
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<MutatingAdmissionPolicy>(object)
    return validateMutating(spec, {
      checksConditions: haveConditionsChanged(spec, viewOf<MutatingAdmissionPolicy>(old).spec),
    })
  },
}

function haveConditionsChanged(spec: CommonSpec = {}, old: CommonSpec = {}): boolean {
  return !deepEqual(spec.paramKind, old.paramKind) || !deepEqual(spec.matchConditions, old.matchConditions)
}

interface Checks {
  readonly checksConditions: boolean
}

function validateCommon(spec: CommonSpec, { checksConditions }: Checks): FieldError[] {
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec
  const hasParams = !isAbsent(paramKind)
  return [
    ...(isAbsent(failurePolicy)
      ? [required('spec.failurePolicy')]
      : validateWord(failurePolicy, failurePolicies, 'spec.failurePolicy')),
    ...(isAbsent(paramKind) ? [] : validateParamKind(paramKind, 'spec.paramKind')),
    ...validateConstraints(matchConstraints, 'spec.matchConstraints'),
    ...(checksConditions
      ? validateMatchConditions(matchConditions, 'spec.matchConditions', (expression, path) =>
          compileExpression(expression, path, { returns: ['bool'], hasParams }),
        )
      : []),
    ...variables.flatMap((variable, index) => validateVariable(variable, `spec.variables[${index}]`)),
  ]
}

function validateConstraints(match: CommonSpec['matchConstraints'], path: string): FieldError[] {
  if (isAbsent(match)) return [required(path)]
  return [
    ...validateMatchResources(match, path),
    ...((match.resourceRules ?? []).length === 0 ? [required(`${path}.resourceRules`)] : []),
  ]
}

function validateParamKind({ apiVersion, kind }: View<ParamKind>, path: string): FieldError[] {
  const kindProblems = isBlank(kind) ? [] : dns1035LabelErrors(kind.toLowerCase())
  return [
    ...(isBlank(apiVersion)
      ? [required(`${path}.apiVersion`)]
      : validateParamVersion(apiVersion, `${path}.apiVersion`)),
    ...(isBlank(kind) ? [required(`${path}.kind`)] : []),
    ...(kindProblems.length === 0
      ? []
      : [
          invalid(
            `${path}.kind`,
            kind,
            `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`,
          ),
        ]),
  ]
}

function validateParamVersion(apiVersion: string, path: string): FieldError[] {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/')
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const version = parts.at(-1) ?? ''
  const group = parts.length === 2 ? (parts[0] ?? '') : ''
  const groupProblems = group === '' ? [] : dns1123SubdomainErrors(group)
  const versionProblems = version === '' ? [] : dns1035LabelErrors(version)
  return [
    ...(groupProblems.length === 0 ? [] : [invalid(path, group, groupProblems.join(','))]),
    ...(version === '' ? [invalid(path, apiVersion, 'version must be specified')] : []),
    ...(versionProblems.length === 0 ? [] : [invalid(path, version, versionProblems.join(','))]),
  ]
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/
const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

function validateVariable({ name = '', expression = '' }: View<Variable>, path: string): FieldError[] {
  const isNamed = name.trim() !== ''
  return [
    ...(isNamed ? [] : [required(`${path}.name`, 'name is not specified')]),
    ...(isNamed && (!identifier.test(name) || reservedWords.has(name))
      ? [invalid(`${path}.name`, name, 'must be a valid CEL identifier')]
      : []),
    ...(expression.trim() === '' ? [required(`${path}.expression`, 'expression is not specified')] : []),
  ]
}

function validateValidating(
  { metadata, spec = {} }: View<ValidatingAdmissionPolicy>,
  checks: Checks,
): FieldError[] {
  const { validations = [], auditAnnotations = [] } = spec
  const errors = validateCommon(spec, checks)
  const none = 'validations or auditAnnotations must contain at least one item'
  if (validations.length === 0 && auditAnnotations.length === 0)
    return [...errors, required('spec.validations', none), required('spec.auditAnnotations', none)]
  const keys = auditAnnotations.map(({ key = '' }) => key)
  return [
    ...errors,
    ...validations.flatMap((validation, index) =>
      validateValidation(validation, `spec.validations[${index}]`, !isAbsent(spec.paramKind)),
    ),
    ...(auditAnnotations.length > 20
      ? [invalid('spec.auditAnnotations', auditAnnotations, 'must not have more than 20 auditAnnotations')]
      : []),
    ...auditAnnotations.flatMap((annotation, index) => {
      const path = `spec.auditAnnotations[${index}]`
      return [
        ...validateAuditAnnotation(annotation, metadata?.name ?? '', path),
        ...(keys.indexOf(annotation.key ?? '') < index ? [duplicate(`${path}.key`, annotation.key)] : []),
      ]
    }),
  ]
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']

function validateValidation(validation: View<Validation>, path: string, hasParams: boolean): FieldError[] {
  const { expression = '', message = '', messageExpression = '', reason } = validation
  const errors: FieldError[] =
    expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : [...compileExpression(expression, `${path}.expression`, { returns: ['bool'], hasParams })]
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(invalid(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified'))
  else if (messageExpression !== '')
    errors.push(
      ...compileExpression(messageExpression, `${path}.messageExpression`, {
        returns: ['string'],
        hasParams,
      }),
    )
  if (message !== '' && message.trim() === '')
    errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'))
  else if (/[\n\r]/.test(message.trim()))
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'))
  if (!isAbsent(reason) && !reasons.includes(reason))
    errors.push(notSupported(`${path}.reason`, reason, reasons))
  return errors
}

const longestValueExpression = 5 * 1024

function validateAuditAnnotation(
  annotation: View<AuditAnnotation>,
  name: string,
  path: string,
): FieldError[] {
  const { key = '', valueExpression = '' } = annotation
  const text = valueExpression.trim()
  return [
    ...(name === ''
      ? [invalid(`${path}.key`, key, 'requires metadata.name be non-empty')]
      : validateQualifiedName(`${name}/${key}`, `${path}.key`)),
    ...(text === '' ? [required(`${path}.valueExpression`, 'valueExpression is not specified')] : []),
    ...(text.length > longestValueExpression
      ? [required(`${path}.valueExpression`, `must not exceed ${longestValueExpression} bytes in length`)]
      : []),
  ]
}

const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE']
const reinvocations = ['IfNeeded', 'Never']

function validateMutating(spec: MutatingSpec, checks: Checks): FieldError[] {
  const { mutations = [], reinvocationPolicy, matchConstraints } = spec
  const used = (matchConstraints?.resourceRules ?? []).flatMap(({ operations = [] }) => operations)
  return [
    ...validateCommon(spec, checks),
    ...used
      .filter((operation) => !mutatingOperations.includes(operation))
      .map((operation) =>
        notSupported('spec.matchConstraints.resourceRules.operations', operation, mutatingOperations),
      ),
    ...(mutations.length === 0
      ? [required('spec.mutations', 'mutations must contain at least one item')]
      : []),
    ...mutations.flatMap((mutation, index) => validateMutation(mutation, `spec.mutations[${index}]`)),
    ...validateWord(reinvocationPolicy, reinvocations, 'spec.reinvocationPolicy', ''),
  ]
}

const patchTypes = ['ApplyConfiguration', 'JSONPatch']

function validateMutation(mutation: View<Mutation>, path: string): FieldError[] {
  const { patchType = '', jsonPatch, applyConfiguration } = mutation
  if (!patchTypes.includes(patchType)) return validateWord(patchType, patchTypes, `${path}.patchType`, '')
  const isPatch = patchType === 'JSONPatch'
  const [field, wanted] = isPatch
    ? (['jsonPatch', jsonPatch] as const)
    : (['applyConfiguration', applyConfiguration] as const)
  const [otherField, other] = isPatch
    ? (['applyConfiguration', applyConfiguration] as const)
    : (['jsonPatch', jsonPatch] as const)
  return [
    ...(isAbsent(wanted)
      ? [required(`${path}.${field}`, `must be specified when patchType is ${patchType}`)]
      : isBlank(wanted.expression?.trim())
        ? [required(`${path}.${field}.expression`)]
        : []),
    ...(isAbsent(other)
      ? []
      : [
          invalid(
            `${path}.${otherField}`,
            `{${otherField}}`,
            `must not be specified when patchType is ${patchType}`,
          ),
        ]),
  ]
}
