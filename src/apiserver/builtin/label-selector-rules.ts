import type { LabelSelector, LabelSelectorRequirement } from '../../kinds/meta/v1.js'
import { labelKeyErrors, labelValueErrors } from '../../objects/index.js'
import type { View } from './draft.js'
import { type FieldError, forbidden, invalid, invalidFor, itemPath, required } from './field-errors.js'
import { validateLabels } from './metadata-rules.js'

export interface LabelSelectorOptions {
  /** The selector was stored before with a value that is no label value: it may stay. */
  readonly allowsInvalidValues?: boolean
}

/** What is wrong with the selector of a workload, a budget or a policy. Absent is right here. */
export function validateLabelSelector(
  selector: View<LabelSelector> | null | undefined,
  path: string,
  options: LabelSelectorOptions = {},
): FieldError[] {
  return [
    ...validateLabels(selector?.matchLabels, `${path}.matchLabels`),
    ...(selector?.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(requirement, itemPath(`${path}.matchExpressions`, index), options),
    ),
  ]
}

/** Whether a selector that is stored has values that would not be taken today. */
export function hasInvalidValues(selector: View<LabelSelector> | null | undefined): boolean {
  return (selector?.matchExpressions ?? []).some(({ values }) =>
    (values ?? []).some((value) => labelValueErrors(value).length > 0),
  )
}

function validateRequirement(
  { key = '', operator = '', values }: View<LabelSelectorRequirement>,
  path: string,
  options: LabelSelectorOptions,
): FieldError[] {
  const list = values ?? []
  return [
    ...validateOperator(operator, list.length, path),
    ...invalidFor(`${path}.key`, key, labelKeyErrors(key)),
    ...(options.allowsInvalidValues === true
      ? []
      : list.flatMap((value, index) =>
          invalidFor(itemPath(`${path}.values`, index), value, labelValueErrors(value)),
        )),
  ]
}

function validateOperator(operator: string, valueCount: number, path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return valueCount > 0
        ? []
        : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return valueCount === 0
        ? []
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')]
  }
}
