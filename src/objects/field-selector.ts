import { KubewrightError } from '../base/index.js'

/** One term of a field selector: `metadata.name=foo`, `status.phase!=Running`. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** A field selector in any of its forms; an object holds fields that must all be equal. */
export type FieldSelectorInput = string | Readonly<Record<string, string>> | readonly FieldRequirement[]

/** The selector cannot be read or written. */
export class FieldSelectorError extends KubewrightError {
  constructor(message: string) {
    super(message, { code: 'KW_FIELD_SELECTOR' })
  }
}

/** The terms of a selector. All of them must hold; none selects everything. Throws {@link FieldSelectorError}. */
export function parseFieldSelector(selector: FieldSelectorInput): FieldRequirement[] {
  if (typeof selector === 'string') return splitTerms(selector).map((term) => parseTerm(selector, term))
  if (isRequirementList(selector)) return [...selector]
  return Object.entries(selector).map(([field, value]) => ({ field, operator: '=', value }))
}

function isRequirementList(selector: FieldSelectorInput): selector is readonly FieldRequirement[] {
  return Array.isArray(selector)
}

// A backslash makes the next character data, so an escaped comma ends no term.
function splitTerms(text: string): string[] {
  return text.match(/(?:\\[^]?|[^\\,])+/g) ?? []
}

function parseTerm(selector: string, term: string): FieldRequirement {
  const fail = (why: string): never => {
    throw new FieldSelectorError(
      `The field selector ${JSON.stringify(selector)} cannot be read: ${why}. Write it like "metadata.name=foo,status.phase!=Running".`,
    )
  }
  const match = /^([^]*?)(!=|==?)([^]*)$/.exec(term)
  const [, field = '', operator, written = ''] = match ?? fail(`'${term}' has no = or !=`)
  if (field === '') fail(`'${term}' names no field`)
  const value = written.replace(/\\([^]?)|[,=]/g, (found, escaped: string | undefined) => {
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped
    return fail(`'${found}' in the value of ${field} must be escaped by a backslash`)
  })
  return { field, operator: operator === '!=' ? '!=' : '=', value }
}

/** The selector as text for `?fieldSelector=`, with its values escaped. Throws {@link FieldSelectorError}. */
export function formatFieldSelector(selector: FieldSelectorInput): string {
  return parseFieldSelector(selector)
    .map(({ field, operator, value }) => {
      // The server knows no escape on this side.
      if (field === '' || /[=!,\\\s]/.test(field))
        throw new FieldSelectorError(
          `${JSON.stringify(field)} is not the path of a field: write one like metadata.name.`,
        )
      return `${field}${operator}${escapeFieldValue(value)}`
    })
    .join(',')
}

/** A value with `\`, `,` and `=` escaped, so that it stays one value in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}

/** True when the fields satisfy every term. A missing field counts as empty, as on the server. */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  fields: Readonly<Record<string, string>>,
): boolean {
  return requirements.every(({ field, operator, value }) => {
    const actual = Object.hasOwn(fields, field) ? fields[field] : ''
    return (actual === value) === (operator === '=')
  })
}
