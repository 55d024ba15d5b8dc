import { labelKeyErrors, labelValueErrors } from '../../objects/index.js'
import { compareCodePoints } from '../../schema/internal.js'
import { type FieldError, invalidFor, tooLong } from './field-errors.js'

type Texts = Readonly<Record<string, string | undefined>>

const longestAnnotations = 256 * 1024

/** What is wrong with labels: those of a template, a node selector. The server has no order here; ours is that of keys. */
export function validateLabels(labels: Texts | null | undefined, path: string): FieldError[] {
  return sorted(labels).flatMap(([key, value]) => [
    ...invalidFor(path, key, labelKeyErrors(key)),
    ...invalidFor(path, value, labelValueErrors(value)),
  ])
}

/** What is wrong with the annotations of a template. */
export function validateAnnotations(annotations: Texts | null | undefined, path: string): FieldError[] {
  const entries = sorted(annotations)
  const errors = entries.flatMap(([key]) => invalidFor(path, key, labelKeyErrors(key.toLowerCase())))
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return size > longestAnnotations ? [...errors, tooLong(path, longestAnnotations)] : errors
}

function sorted(texts: Texts | null | undefined): [string, string][] {
  return Object.entries(texts ?? {})
    .map(([key, value]): [string, string] => [key, value ?? ''])
    .sort(([left], [right]) => compareCodePoints(left, right))
}
