import { isPlainObject } from '../../base/index.js'

/** An object of JSON whose fields are to be read one by one. */
export type Fields = Readonly<Record<string, unknown>>

const noFields: Fields = Object.freeze({})

/** The fields of a value; none when it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : noFields
}

/** The text that a value is; empty when it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The elements of a value; none when it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The texts in a list; others are left out. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}
