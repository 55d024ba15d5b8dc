import { isPrintable } from '../../base/index.js'
import type { FieldError } from '../../schema/index.js'
import { goJson, invalid, invalidAs, required } from '../../schema/internal.js'
import type { CrdColumn, CrdScale, CrdSubresources, CrdVersion } from './definition.js'

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

export function columnErrors(columns: readonly CrdColumn[], path: string): FieldError[] {
  return columns.flatMap((column, index) => oneColumnErrors(column, `${path}[${index}]`))
}

function oneColumnErrors(column: CrdColumn, path: string): FieldError[] {
  const { name, type, format = '', jsonPath } = column
  const errors: FieldError[] = []
  if (name === '') errors.push(required(`${path}.name`))
  const types = `must be one of ${columnTypes.join(',')}`
  if (type === '') errors.push(required(`${path}.type`, types))
  else if (!columnTypes.includes(type)) errors.push(invalid(`${path}.type`, type, types))
  if (format !== '' && !columnFormats.includes(format))
    errors.push(invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`))
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`))
  else errors.push(...pathErrors(jsonPath, `${path}.JSONPath`))
  return errors
}

function pathErrors(jsonPath: string, path: string): FieldError[] {
  return jsonPath.startsWith('.')
    ? []
    : [invalid(path, jsonPath, 'must be a simple json path starting with .')]
}

export function subresourceErrors(subresources: CrdSubresources | undefined, path: string): FieldError[] {
  return subresources?.scale === undefined ? [] : scaleErrors(subresources.scale, `${path}.scale`)
}

function scaleErrors(scale: CrdScale, path: string): FieldError[] {
  const errors = [
    ...replicaPathErrors(scale.specReplicasPath, `${path}.specReplicasPath`, '.spec'),
    ...replicaPathErrors(scale.statusReplicasPath, `${path}.statusReplicasPath`, '.status'),
  ]
  const { labelSelectorPath = '' } = scale
  if (labelSelectorPath === '') return errors
  const at = `${path}.labelSelectorPath`
  const wrong = pathErrors(labelSelectorPath, at)
  if (wrong.length > 0) return [...errors, ...wrong]
  if (/^\.(?:spec|status)\./.test(labelSelectorPath)) return errors
  const detail = 'should be a json path under either .spec or .status'
  return [...errors, invalidAs(at, goJson(labelSelectorPath), detail)]
}

function replicaPathErrors(jsonPath: string, path: string, below: string): FieldError[] {
  if (jsonPath === '') return [required(path)]
  const wrong = pathErrors(jsonPath, path)
  if (wrong.length > 0 || jsonPath.startsWith(`${below}.`)) return wrong
  return [invalid(path, jsonPath, `should be a json path under ${below}`)]
}

/** What is wrong with the warning that users of a version get. */
export function deprecationErrors(
  { deprecated, deprecationWarning }: CrdVersion,
  path: string,
): FieldError[] {
  if (deprecationWarning === undefined) return []
  const refuse = (detail: string): FieldError => invalidAs(path, goJson(deprecationWarning), detail)
  if (deprecated !== true) return [refuse('can only be set for deprecated versions')]
  const errors: FieldError[] = []
  if (Buffer.byteLength(deprecationWarning) > 256) errors.push(refuse('must be <= 256 characters long'))
  if (deprecationWarning === '') errors.push(refuse('must not be an empty string'))
  let index = 0
  for (const character of deprecationWarning) {
    if (!isPrintable(character)) {
      const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`
      errors.push(refuse(detail))
      break
    }
    index += Buffer.byteLength(character)
  }
  return errors
}
