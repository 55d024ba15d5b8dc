import type { StatusCause } from '../../objects/index.js'
import { goQuote } from '../../schema/internal.js'
import { ApiFailure } from '../failure.js'
import { type FieldSet, hasField, pathsOf } from './field-set.js'
import type { Manager } from './managers.js'
import { formatPath, type PathElement } from './path-element.js'

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager
  readonly paths: readonly (readonly PathElement[])[]
}

/** What is applied changes fields that others own. Made into the answer once it is clear that it stands. */
export class ApplyConflictError extends Error {
  override readonly name = 'ApplyConflictError'
  readonly conflicts: readonly Conflict[]

  constructor(conflicts: readonly Conflict[]) {
    super('Fields of other managers would change.')
    this.conflicts = conflicts
  }
}

export function conflictWith(manager: Manager, fields: FieldSet): Conflict {
  return { manager, paths: [...pathsOf(fields)] }
}

/** The conflicts about fields that are not in the set. */
export function conflictsOutside(conflicts: readonly Conflict[], set: FieldSet): readonly Conflict[] {
  return conflicts
    .map(({ manager, paths }) => ({ manager, paths: paths.filter((path) => !hasField(set, path)) }))
    .filter(({ paths }) => paths.length > 0)
}

/** The answer: 409 with a cause for each field. */
export function conflictFailure(conflicts: readonly Conflict[]): ApiFailure {
  const causes: StatusCause[] = conflicts.flatMap(({ manager, paths }) =>
    paths.map((path) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${describe(manager)}`,
      field: formatPath(path),
    })),
  )
  const [only] = causes
  const list = conflicts.flatMap(({ manager, paths }) => [
    `conflicts with ${describe(manager)}:`,
    ...paths.map((path) => `- ${formatPath(path)}`),
  ])
  return new ApiFailure({
    code: 409,
    reason: 'Conflict',
    message:
      causes.length === 1 && only !== undefined
        ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
        : `Apply failed with ${causes.length} conflicts: ${list.join('\n')}`,
    details: { causes },
  })
}

function describe({ name, operation, apiVersion, subresource }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`
  return `${goQuote(name)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`
}
