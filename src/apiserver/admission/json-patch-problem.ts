import { getOwn, isPlainObject } from '../../base/index.js'
import { fieldsOf, textOf } from '../auth/fields.js'
import { ApiFailure } from '../failure.js'
import { applyJsonPatch } from '../patch/json-patch.js'

/**
 * Why a JSON patch does not apply, in the words that the server has for the patch of a webhook: there, unlike with a
 * request, it says which operation failed.
 */
export function jsonPatchProblem(document: unknown, patch: readonly unknown[]): string {
  let current = document
  for (const operation of patch) {
    try {
      current = applyJsonPatch(current, [operation])
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return describe(current, operation)
    }
  }
  return 'invalid state detected'
}

function describe(document: unknown, operation: unknown): string {
  const fields = fieldsOf(operation)
  const op = textOf(fields['op'])
  const path = textOf(fields['path'])
  const from = textOf(fields['from'])
  const missing = 'missing value'
  const hasParent = parentOf(document, path) !== undefined
  switch (op) {
    case 'add':
      return hasParent
        ? `error in add for path: '${path}': ${indexProblem(path)}`
        : `add operation does not apply: doc is missing path: "${path}": ${missing}`
    case 'remove':
      if (!hasParent) return `remove operation does not apply: doc is missing path: "${path}": ${missing}`
      return Array.isArray(parentOf(document, path))
        ? `error in remove for path: '${path}': ${indexProblem(path)}`
        : `error in remove for path: '${path}': Unable to remove nonexistent key: ${lastOf(path)}: ${missing}`
    case 'replace':
      return `replace operation does not apply: doc is missing ${hasParent ? 'key' : 'path'}: ${path}: ${missing}`
    case 'test':
      return hasParent
        ? `testing value ${path} failed: test failed`
        : `test operation does not apply: is missing path: ${path}: ${missing}`
    case 'move':
    case 'copy':
      return parentOf(document, from) === undefined
        ? `${op} operation does not apply: doc is missing from path: ${from}: ${missing}`
        : `${op} operation does not apply: doc is missing destination path: ${path}: ${missing}`
    default:
      return `Unexpected kind: ${op === '' ? 'unknown' : op}`
  }
}

const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

const lastOf = (path: string): string => segmentsOf(path).at(-1) ?? ''

function indexProblem(path: string): string {
  const index = Number(lastOf(path))
  return Number.isInteger(index)
    ? `Unable to access invalid index: ${index}: invalid index referenced`
    : `value was not a proper array index: '${lastOf(path)}': strconv.Atoi: parsing "${lastOf(path)}": invalid syntax`
}

/** What the last segment of a path is looked up in. */
function parentOf(document: unknown, path: string): unknown {
  let current = document
  for (const segment of segmentsOf(path).slice(0, -1)) {
    if (Array.isArray(current)) current = current.at(Number(segment))
    else if (isPlainObject(current)) current = getOwn(current, segment)
    else return undefined
  }
  return Array.isArray(current) || isPlainObject(current) ? current : undefined
}
