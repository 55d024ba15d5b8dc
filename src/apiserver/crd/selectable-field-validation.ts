import type { FieldError } from '../../schema/index.js'
import { duplicate, fieldAtPath, invalid, required, type SchemaProps } from '../../schema/internal.js'
import type { CrdSelectableField } from './definition.js'

const maxFields = 8
const selectableTypes = ['string', 'boolean', 'integer']

/** What is wrong with the fields that selectors shall be able to name. */
export function selectableFieldErrors(
  fields: readonly CrdSelectableField[],
  schema: SchemaProps,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`
    if (jsonPath === '') {
      errors.push(required(at))
      continue
    }
    const found = fieldAtPath(jsonPath, schema)
    if ('problem' in found) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found.problem}`))
      continue
    }
    if (/^metadata(?:[.[]|$)/.test(found.path))
      errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'))
    if (!selectableTypes.includes(found.schema?.type ?? '')) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      errors.push(invalid(at, jsonPath, detail))
    }
    if (seen.has(found.path)) errors.push(duplicate(at, jsonPath))
    seen.add(found.path)
  }
  if (seen.size > maxFields)
    errors.push({
      reason: 'FieldValueTooMany',
      field: path,
      message: `Too many: ${seen.size}: must have at most ${maxFields} items`,
    })
  return errors
}
