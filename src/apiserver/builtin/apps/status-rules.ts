import { type FieldError, invalid } from '../field-errors.js'
import { isAbsent, validateNonNegative } from '../value-rules.js'

type Counts = Readonly<Record<string, unknown>>

function countOf(status: Counts, field: string): number {
  const value = status[field]
  return typeof value === 'number' ? value : 0
}

/** Counts of pods are not negative. */
export function validateCounts(status: Counts, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => validateNonNegative(countOf(status, field), `status.${field}`))
}

/** There cannot be more of some than there are at all. `allReady` is the server's name of the ready ones. */
export function validateWithin(status: Counts, fields: readonly string[], allReady: string): FieldError[] {
  const replicas = countOf(status, 'replicas')
  const available = countOf(status, 'availableReplicas')
  const errors = fields
    .filter((field) => countOf(status, field) > replicas)
    .map((field) =>
      invalid(`status.${field}`, countOf(status, field), 'cannot be greater than status.replicas'),
    )
  if (available > countOf(status, 'readyReplicas'))
    errors.push(invalid('status.availableReplicas', available, `cannot be greater than ${allReady}`))
  return errors
}

/** How often the name of a dependent was taken only grows. */
export function validateCollisions(status: Counts, old: Counts | undefined): FieldError[] {
  const before = old?.['collisionCount']
  if (typeof before !== 'number') return []
  const count = countOf(status, 'collisionCount')
  if (!isAbsent(status['collisionCount']) && count >= before) return []
  return [invalid('status.collisionCount', count, 'cannot be decremented')]
}
