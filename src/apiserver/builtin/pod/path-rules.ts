import { type FieldError, invalid } from '../field-errors.js'

/** What is wrong with a path that leads upwards. */
export function validateNoBacksteps(text: string, path: string): FieldError[] {
  return text.split('/').includes('..') ? [invalid(path, text, "must not contain '..'")] : []
}

/** What is wrong with a path below some directory. */
export function validateDescendingPath(text: string, path: string): FieldError[] {
  const errors = text.startsWith('/') ? [invalid(path, text, 'must be a relative path')] : []
  return [...errors, ...validateNoBacksteps(text, path)]
}

/** What is wrong with the path of a file that the kubelet writes: names that begin with two dots are its own. */
export function validateFilePath(text: string, path: string): FieldError[] {
  const errors = validateDescendingPath(text, path)
  const isReserved = text.startsWith('..') && !text.startsWith('../')
  return isReserved ? [...errors, invalid(path, text, "must not start with '..'")] : errors
}
