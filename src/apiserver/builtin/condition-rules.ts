import type { Condition } from '../../kinds/meta/v1.js'
import type { View } from './draft.js'
import { duplicate, type FieldError, invalid, required, tooLong } from './field-errors.js'
import { isAbsent, isBlank, validateQualifiedName, validateWord } from './value-rules.js'

const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const longestReason = 1024
const longestMessage = 32 * 1024

/** What is wrong with conditions of the form that newer kinds share. */
export function validateConditions(
  conditions: readonly View<Condition>[] | null | undefined,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  return (conditions ?? []).flatMap((condition, index) => {
    const at = `${path}[${index}]`
    const { type = '' } = condition
    const errors: FieldError[] = []
    if (seen.has(type)) errors.push(duplicate(`${at}.type`, type))
    seen.add(type)
    return [...errors, ...validateCondition(condition, at)]
  })
}

function validateCondition(condition: View<Condition>, path: string): FieldError[] {
  const { type = '', status, observedGeneration, lastTransitionTime, reason, message = '' } = condition
  return [
    ...validateQualifiedName(type, `${path}.type`),
    ...validateWord(status, ['False', 'True', 'Unknown'], `${path}.status`),
    ...(!isAbsent(observedGeneration) && observedGeneration < 0
      ? [invalid(`${path}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero')]
      : []),
    ...(isAbsent(lastTransitionTime) ? [required(`${path}.lastTransitionTime`)] : []),
    ...validateReason(reason, `${path}.reason`),
    ...(message.length > longestMessage ? [tooLong(`${path}.message`, longestMessage)] : []),
  ]
}

function validateReason(reason: string | undefined, path: string): FieldError[] {
  if (isBlank(reason)) return [required(path)]
  const errors: FieldError[] = []
  if (!new RegExp(`^${reasonPattern}$`).test(reason))
    errors.push(
      invalid(
        path,
        reason,
        `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonPattern}')`,
      ),
    )
  if (reason.length > longestReason) errors.push(tooLong(path, longestReason))
  return errors
}
