import { isPlainObject } from '../../../base/index.js'
import type { ControllerRevision } from '../../../kinds/apps/v1.js'
import { viewOf } from '../draft.js'
import { type FieldError, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { isAbsent, validateImmutable, validateNonNegative } from '../value-rules.js'

export const controllerRevisionRules: KindRules = {
  validateCreate(object) {
    const { revision, data } = viewOf<ControllerRevision>(object)
    return [...validateNonNegative(revision, 'revision'), ...validateData(data)]
  },
  validateUpdate(object, old) {
    const { revision, data } = viewOf<ControllerRevision>(object)
    return [
      ...validateNonNegative(revision, 'revision'),
      ...validateImmutable(data, viewOf<ControllerRevision>(old).data, 'data'),
    ]
  },
}

function validateData(data: unknown): FieldError[] {
  if (isAbsent(data)) return [required('data', 'data is mandatory')]
  return isPlainObject(data) ? [] : [required('data', 'data must be a valid JSON object')]
}
