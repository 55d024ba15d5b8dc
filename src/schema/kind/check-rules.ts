import type { StructuralSchema, ValidationRule } from '../structural-schema.js'
import type { AddProblem } from './check-structural.js'
import { fieldAt, parseFieldPath } from './field-path.js'

const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate']

/** The form of CEL rules. Whether they compile is known when a validator is loaded, and to the API server. */
export function checkRules(schema: StructuralSchema, add: AddProblem): void {
  for (const rule of schema['x-kubernetes-validations'] ?? []) checkRule(rule, schema, add)
}

function checkRule(rule: ValidationRule, schema: StructuralSchema, add: AddProblem): void {
  const { message, messageExpression, fieldPath, reason } = rule
  const shown = `The CEL rule ${JSON.stringify(rule.rule)}`
  if (typeof rule.rule !== 'string' || rule.rule.trim() === '') {
    add('A CEL rule is empty. Write the expression, or remove the rule.')
    return
  }
  if (message !== undefined && message.trim() === '')
    add(`${shown} has an empty message. Write one, or leave it out.`)
  if (message !== undefined && /[\n\r]/.test(message.trim()))
    add(`${shown} has line breaks in its message. Use one line.`)
  if (/[\n\r]/.test(rule.rule.trim()) && (message ?? '').trim() === '') {
    add(`${shown} has line breaks. Add a message, which is shown instead of the rule.`)
  }
  if (messageExpression !== undefined && messageExpression.trim() === '') {
    add(`${shown} has an empty messageExpression. Write one, or leave it out.`)
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    add(`${shown} has the reason ${JSON.stringify(reason)}. Use one of ${reasons.join(', ')}.`)
  }
  if (fieldPath === undefined) return
  const names = parseFieldPath(fieldPath)
  if (names === undefined || fieldAt(schema, names) === undefined) {
    add(
      `${shown} has the fieldPath ${JSON.stringify(fieldPath)}, which leads to no field. Use a path such as .replicas.`,
    )
  }
}
