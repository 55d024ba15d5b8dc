import type { FieldError } from './field-errors.js'
import { itemPath } from './field-errors.js'

/** The errors of the items of a list, which may be absent, each by its path. */
export function validateEach<T>(
  items: readonly T[] | null | undefined,
  path: string,
  validate: (item: T, path: string, index: number) => readonly FieldError[],
): FieldError[] {
  return (items ?? []).flatMap((item, index) => validate(item, itemPath(path, index), index))
}
