import { isPlainObject, setOwn } from '../../base/index.js'

/**
 * Reads the fields of an object that came from outside. A missing, null or empty field is undefined, as in Go; a field of
 * the wrong type is reported, and reads as if it were missing. Values never reach the report: they may be secret.
 */
export interface FieldReader {
  readonly at: string
  string(key: string): string | undefined
  boolean(key: string): boolean
  strings(key: string): readonly string[]
  object(key: string): FieldReader | undefined
  /** A list of objects, one reader each. */
  objects(key: string): readonly FieldReader[]
  /** A map of strings to strings. */
  stringMap(key: string): Readonly<Record<string, string>>
  /** A map of strings to lists of strings. */
  stringsMap(key: string): Readonly<Record<string, readonly string[]>>
  /** The value as it is. */
  value(key: string): unknown
  report(key: string, message: string): void
}

/** Receives the path of a field and what is wrong with it. */
type ReportField = (path: string, message: string) => void

/** A reader of the object's own fields. `at` is the path of the object inside its document; empty for the root. */
export function createFieldReader(
  fields: Readonly<Record<string, unknown>>,
  at: string,
  report: ReportField,
): FieldReader {
  const pathOf = (key: string): string => (at === '' ? key : `${at}.${key}`)
  const complain = (path: string, wanted: string, found: unknown): undefined => {
    report(path, `expected ${wanted}, found ${nameOf(found)}: ${adviceFor(wanted)}`)
  }

  const read = (key: string): unknown => (Object.hasOwn(fields, key) ? (fields[key] ?? undefined) : undefined)
  const list = (value: unknown, path: string): readonly string[] => {
    if (value === undefined || value === null) return []
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
    complain(path, 'a list of strings', value)
    return []
  }
  const objectAt = (value: unknown, path: string): FieldReader | undefined => {
    if (value === undefined) return undefined
    return isPlainObject(value) ? createFieldReader(value, path, report) : complain(path, 'an object', value)
  }
  const mapOf = <T>(
    key: string,
    each: (value: unknown, path: string) => T | undefined,
  ): Record<string, T> => {
    const found: Record<string, T> = {}
    const value = read(key)
    if (value === undefined) return found
    if (!isPlainObject(value)) complain(pathOf(key), 'an object', value)
    else
      for (const [name, member] of Object.entries(value)) {
        const parsed = each(member, `${pathOf(key)}.${name}`)
        if (parsed !== undefined) setOwn(found, name, parsed)
      }
    return found
  }

  return {
    at,
    value: read,
    string(key) {
      const value = read(key)
      if (value === undefined || value === '') return undefined
      return typeof value === 'string' ? value : complain(pathOf(key), 'a string', value)
    },
    boolean(key) {
      const value = read(key)
      if (value !== undefined && typeof value !== 'boolean') complain(pathOf(key), 'true or false', value)
      return value === true
    },
    strings: (key) => list(read(key), pathOf(key)),
    object: (key) => objectAt(read(key), pathOf(key)),
    objects(key) {
      const value = read(key)
      if (value === undefined) return []
      if (!Array.isArray(value)) {
        complain(pathOf(key), 'a list', value)
        return []
      }
      return value.flatMap((item, index) => objectAt(item ?? {}, `${pathOf(key)}[${index}]`) ?? [])
    },
    stringMap: (key) =>
      mapOf(key, (value, path) => (typeof value === 'string' ? value : complain(path, 'a string', value))),
    stringsMap: (key) => mapOf(key, list),
    report: (key, message) => report(pathOf(key), message),
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function adviceFor(wanted: string): string {
  if (wanted === 'a string') return 'put the value in quotes'
  if (wanted === 'true or false') return 'write true or false without quotes'
  return 'check the indentation and the dashes'
}
