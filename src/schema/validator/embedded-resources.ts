import { isPlainObject } from '../../base/index.js'
import type { FieldError } from '../field-error.js'
import { dns1035LabelProblems, pathSegmentProblems } from '../name-rules.js'
import { childPath, invalid, required } from './field-errors.js'
import { metadataErrors } from './object-meta.js'
import type { SchemaNode } from './schema-node.js'

/** What is wrong with apiVersion, kind and metadata of the whole objects inside the value. Walks as deep as the schema. */
export function embeddedResourceErrors(node: SchemaNode, value: unknown, path = ''): FieldError[] {
  const errors: FieldError[] = []
  collect(node, value, path, errors)
  return errors
}

function collect(node: SchemaNode, value: unknown, path: string, errors: FieldError[]): void {
  if (!node.hasEmbedded) return
  if (Array.isArray(value)) {
    if (node.items === undefined) return
    for (const [index, item] of value.entries()) collect(node.items, item, `${path}[${index}]`, errors)
  } else if (isPlainObject(value)) {
    if (node.isEmbedded) errors.push(...resourceErrors(value, path))
    for (const [key, member] of Object.entries(value)) {
      const child = node.properties.get(key)
      if (child !== undefined) collect(child, member, childPath(path, key), errors)
      else if (typeof node.additional === 'object')
        collect(node.additional, member, `${path}[${key}]`, errors)
    }
  }
}

function resourceErrors(resource: Record<string, unknown>, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const field of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(resource, field) || resource[field] === undefined)
      errors.push(required(childPath(path, field)))
  }
  for (const [field, value] of Object.entries(resource)) {
    const at = childPath(path, field)
    if (field === 'apiVersion') errors.push(...apiVersionErrors(value, at))
    else if (field === 'kind') errors.push(...kindErrors(value, at))
    else if (field === 'metadata') {
      errors.push(
        ...metadataErrors(value, {
          path: at,
          nameProblems: pathSegmentProblems,
          nameRequired: false,
          namespaceAllowed: true,
        }),
      )
    }
  }
  return errors
}

function apiVersionErrors(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')]
  if (value === '') return [invalid(path, value, 'must not be empty')]
  if (value.split('/').length > 2) return [invalid(path, value, `unexpected GroupVersion string: ${value}`)]
  return []
}

function kindErrors(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')]
  if (value === '') return [invalid(path, value, 'must not be empty')]
  const problems = dns1035LabelProblems(value.toLowerCase())
  if (problems.length === 0) return []
  return [invalid(path, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}
