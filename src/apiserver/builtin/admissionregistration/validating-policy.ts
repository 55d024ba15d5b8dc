import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  Validation,
} from '../../../kinds/admissionregistration.k8s.io/v1.js'
import { validateConditions } from '../condition-rules.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { duplicate, type FieldError, invalid, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { isAbsent, isBlank, validateQualifiedName } from '../value-rules.js'
import type { ExpressionChecker } from './expressions.js'
import { defaultPolicy, haveConditionsChanged, type PolicyChecks, validateCommon } from './policy-spec.js'

export function validatingPolicyRules(checker: ExpressionChecker): KindRules {
  return {
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    defaults(draft) {
      const policy = draftOf<ValidatingAdmissionPolicy>(draft)
      policy.spec ??= {}
      defaultPolicy(policy.spec)
    },
    validateCreate: (object) =>
      validatePolicy(viewOf<ValidatingAdmissionPolicy>(object), { checksConditions: true, checker }),
    validateUpdate(object, old) {
      const policy = viewOf<ValidatingAdmissionPolicy>(object)
      const { spec } = viewOf<ValidatingAdmissionPolicy>(old)
      return validatePolicy(policy, { checksConditions: haveConditionsChanged(policy.spec, spec), checker })
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
}

/** What the expressions of one policy are judged by. */
interface PolicyExpressions {
  readonly checker: ExpressionChecker
  readonly hasParams: boolean
}

function validatePolicy(
  { metadata, spec = {} }: View<ValidatingAdmissionPolicy>,
  checks: PolicyChecks,
): FieldError[] {
  const { validations = [], auditAnnotations = [] } = spec
  const { errors, checker } = validateCommon(spec, checks)
  const none = 'validations or auditAnnotations must contain at least one item'
  if (validations.length === 0 && auditAnnotations.length === 0)
    return [...errors, required('spec.validations', none), required('spec.auditAnnotations', none)]
  const expressions = { checker, hasParams: !isAbsent(spec.paramKind) }
  const keys = auditAnnotations.map(({ key = '' }) => key)
  return [
    ...errors,
    ...validations.flatMap((validation, index) =>
      validateValidation(validation, `spec.validations[${index}]`, expressions),
    ),
    ...(auditAnnotations.length > 20
      ? [invalid('spec.auditAnnotations', auditAnnotations, 'must not have more than 20 auditAnnotations')]
      : []),
    ...auditAnnotations.flatMap((annotation, index) => {
      const path = `spec.auditAnnotations[${index}]`
      return [
        ...validateAuditKey(annotation, metadata?.name ?? '', `${path}.key`),
        ...validateAuditValue(annotation, `${path}.valueExpression`, expressions),
        ...(keys.indexOf(annotation.key ?? '') < index ? [duplicate(`${path}.key`, annotation.key)] : []),
      ]
    }),
  ]
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']

function validateValidation(
  validation: View<Validation>,
  path: string,
  { checker, hasParams }: PolicyExpressions,
): FieldError[] {
  const { expression = '', message = '', messageExpression = '', reason } = validation
  const errors =
    expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : checker.check(expression, `${path}.expression`, { returns: ['bool'], hasParams })
  const messagePath = `${path}.messageExpression`
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(invalid(messagePath, messageExpression, 'must be non-empty if specified'))
  else if (messageExpression !== '')
    errors.push(
      ...checker.check(messageExpression, messagePath, {
        returns: ['string'],
        hasParams,
        hasAuthorizer: false,
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

function validateAuditKey({ key = '' }: View<AuditAnnotation>, name: string, path: string): FieldError[] {
  return name === ''
    ? [invalid(path, key, 'requires metadata.name be non-empty')]
    : validateQualifiedName(`${name}/${key}`, path)
}

const longestValueExpression = 5 * 1024

function validateAuditValue(
  { valueExpression = '' }: View<AuditAnnotation>,
  path: string,
  { checker, hasParams }: PolicyExpressions,
): FieldError[] {
  const text = valueExpression.trim()
  if (text === '') return [required(path, 'valueExpression is not specified')]
  if (text.length > longestValueExpression)
    return [required(path, `must not exceed ${longestValueExpression} bytes in length`)]
  return checker.check(text, path, { returns: ['string', 'null'], hasParams })
}
