import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../../kinds/core/v1.js'
import { dns1123SubdomainErrors, labelKeyErrors, labelValueErrors } from '../../../objects/index.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, forbidden, invalid, invalidFor, required } from '../field-errors.js'

/** What is wrong with the choice of nodes of a pod or a persistent volume. */
export function validateNodeSelector(
  { nodeSelectorTerms }: View<NodeSelector>,
  path: string,
  allowsInvalidValues = false,
): FieldError[] {
  const own = `${path}.nodeSelectorTerms`
  if ((nodeSelectorTerms ?? []).length === 0)
    return [required(own, 'must have at least one node selector term')]
  return validateEach(nodeSelectorTerms, own, (term, termPath) =>
    validateNodeSelectorTerm(term, termPath, allowsInvalidValues),
  )
}

export function validateNodeSelectorTerm(
  { matchExpressions, matchFields }: View<NodeSelectorTerm>,
  path: string,
  allowsInvalidValues: boolean,
): FieldError[] {
  return [
    ...validateEach(matchExpressions, `${path}.matchExpressions`, (requirement, own) =>
      validateExpression(requirement, own, allowsInvalidValues),
    ),
    ...validateEach(matchFields, `${path}.matchFields`, validateField),
  ]
}

function validateExpression(
  { key = '', operator = '', values }: View<NodeSelectorRequirement>,
  path: string,
  allowsInvalidValues: boolean,
): FieldError[] {
  const list = values ?? []
  return [
    ...validateOperator(operator, list.length, path),
    ...invalidFor(`${path}.key`, key, labelKeyErrors(key)),
    ...validateEach(allowsInvalidValues ? [] : list, `${path}.values`, (value, own) =>
      invalidFor(own, value, labelValueErrors(value)),
    ),
  ]
}

function validateOperator(operator: string, count: number, path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? []
        : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')]
  }
}

function validateField(
  { key = '', operator = '', values }: View<NodeSelectorRequirement>,
  path: string,
): FieldError[] {
  const list = values ?? []
  const errors: FieldError[] = []
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'))
  else if (list.length !== 1)
    errors.push(
      required(
        `${path}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    )
  if (key !== 'metadata.name')
    return [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')]
  return [
    ...errors,
    ...validateEach(list, `${path}.values`, (value, own) =>
      invalidFor(own, value, dns1123SubdomainErrors(value)),
    ),
  ]
}
