import { compareCodePoints, goQuote, labelKeyProblems } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { WriteContext } from '../resource.js'

const path = 'metadata.finalizers'
const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

/** Warns of new finalizers whose names could be somebody else's too. */
export function warnOfFinalizers(
  object: ApiObject,
  old: StoredApiObject | undefined,
  context: WriteContext,
): void {
  const before = new Set(old?.metadata.finalizers)
  const added = new Set((object.metadata.finalizers ?? []).filter((name) => !before.has(name)))
  for (const name of [...added].sort(compareCodePoints))
    for (const warning of warningsOf(name)) context.warn(`${path}: ${goQuote(name)}: ${warning}`)
}

function warningsOf(name: string): readonly string[] {
  const problems = labelKeyProblems(name)
  if (name.includes('/') || standard.has(name)) return problems
  const including = name.includes('.') ? ' including a path (/)' : ''
  return [
    ...problems,
    `prefer a domain-qualified finalizer name${including} to avoid accidental conflicts with other finalizer writers`,
  ]
}
